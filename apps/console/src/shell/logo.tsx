export function Logo() {
  return (
    <span className="logo">
      <svg aria-hidden="true" width="30" height="30" viewBox="0 0 32 32" fill="none">
        <rect width="32" height="32" rx="8" fill="var(--brand)" />
        <path
          d="M9 8h7a8 8 0 0 1 0 16H9z"
          stroke="var(--on-brand)"
          strokeWidth="2.6"
          strokeLinejoin="round"
        />
        <path
          d="M13.500 13.500h4M13.500 18h2.500"
          stroke="var(--on-brand)"
          strokeWidth="2.200"
          strokeLinecap="round"
        />
      </svg>
      Docent
    </span>
  )
}
