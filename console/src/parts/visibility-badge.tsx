import { useWords } from '@docent/widget/chat/words-context.tsx'
import type { Visibility } from '../api/records.ts'

export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const words = useWords().chatbots
  return (
    <span className={visibility === 'private' ? 'badge' : 'badge good'}>{words[visibility]}</span>
  )
}
