import { Icon, type IconName } from '@docent/widget/chat/parts/icons.tsx'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: IconName
  title: string
  hint?: string
  children?: ReactNode
}

export function EmptyState({ icon, title, hint, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={26} />
      </span>
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  )
}
