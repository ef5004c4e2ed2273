import type { Visibility } from '../api/records.ts'
import { useWords } from '../words-context.tsx'

export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const words = useWords().chatbots
  return (
    <span className={visibility === 'private' ? 'badge' : 'badge good'}>{words[visibility]}</span>
  )
}
