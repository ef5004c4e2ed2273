import { Icon, type IconName } from './icons.tsx'

interface IconButtonProps {
  icon: IconName
  label: string
  isPressed?: boolean
  onClick: () => void
}

export function IconButton({ icon, label, isPressed, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}
