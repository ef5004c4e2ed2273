// Drawn on a 24-unit grid with a stroke of 1.75, so that the icons match at 16 to 20 pixels.
const PATHS = {
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7',
  up: 'M7 11v9H4v-9zM7 11l4-8c1.5 0 2.5 1 2.5 2.5V9H19a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 17.8 20H7',
  down: 'M17 13V4h3v9zM17 13l-4 8c-1.5 0-2.5-1-2.5-2.5V15H5a2 2 0 0 1-2-2.3l1.2-7A2 2 0 0 1 6.2 4H17',
  again: 'M20 11a8 8 0 1 0-2.3 6.2M20 5v6h-6',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  arrowDown: 'M12 5v14M6 13l6 6 6-6',
  chat: 'M4 5h16v11H9l-5 4z',
  chevron: 'M9 6l6 6-6 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sources: 'M5 4h9l5 5v11H5zM14 4v5h5M8 13h8M8 16.5h5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  share:
    'M8 12l8-5M8 12l8 5M5.5 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18.500 8.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM18.500 20.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  sessions: 'M3 5h12v8H7l-4 3zM9 16v1h8l4 3V9h-3',
  unanswered:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.500 9.500a2.500 2.500 0 1 1 3.800 2.100c-.9.5-1.300 1.100-1.300 2M12 16.500v.5',
  usage: 'M4 20h16M7 16v-5M12 16V5M17 16v-8',
  key: 'M8 16a4 4 0 1 1 3.500-6H21v3h-2v3h-3v-3h-4.500A4 4 0 0 1 8 16zM8 12h.01',
  book: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20c1-3.500 4-5 7.500-5s6.500 1.500 7.500 5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  upload: 'M12 16V5M7 9l5-5 5 5M4 16v4h16v-4',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3.500 6 3.500 9s-.5 6-3.500 9c-3-3-3.500-6-3.500-9s.5-6 3.500-9z',
  question:
    'M4 5h16v12h-7l-4 3v-3H4zM10 9.500a2 2 0 1 1 2.800 1.800c-.6.3-.8.600-.8 1.200M12 14.500v.01',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L20 20',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  eye: 'M2.500 12C5 7.500 8.500 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-6 6.500-9.500 6.500S5 16.500 2.500 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  eyeOff:
    'M4 4l16 16M6.500 7.300C5 8.400 3.600 10 2.500 12c2.500 4.500 6 6.500 9.500 6.500 1.700 0 3.300-.5 4.800-1.400M10 5.700c.7-.1 1.300-.2 2-.2 3.500 0 7 2 9.500 6.500-.7 1.300-1.500 2.400-2.400 3.300',
  hook: 'M9 17a3 3 0 1 1-3-3M6 14l3.500-6M8 5.500a3 3 0 1 1 5.500 2M13 7l3.500 6M16 13.200A3 3 0 1 1 14 17H9',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
} as const

export type IconName = keyof typeof PATHS

/** Hidden from screen readers: the adjacent text or the button's label says the same. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  // `rem`, so that icons scale with the user's text size.
  const length = `${size / 16}rem`
  return (
    <svg
      aria-hidden="true"
      width={length}
      height={length}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.5 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={name === 'chevron' || name === 'external' ? 'icon mirrors' : 'icon'}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
