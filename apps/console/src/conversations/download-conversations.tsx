import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { Menu, MenuDownload } from '../forms/menu.tsx'
import { useWords } from '../words-context.tsx'
import { type ConversationsView, wantedOf } from './conversations-view.ts'

interface DownloadConversationsProps {
  chatbot: string
  view: ConversationsView
}

/** Downloads all conversations that match the filters. */
export function DownloadConversations({ chatbot, view }: DownloadConversationsProps) {
  const words = useWords().sessions
  const addressOf = (format: 'csv' | 'jsonl') => {
    const query = new URLSearchParams({ format, ...wantedOf(view) })
    return `/api/v1/chatbot/${chatbot}/conversations/export?${query}`
  }
  return (
    <Menu
      trigger={
        <button type="button" className="button">
          <Icon name="download" size={16} />
          {words.downloadAll}
        </button>
      }
    >
      <MenuDownload href={addressOf('csv')}>{words.asTable}</MenuDownload>
      <MenuDownload href={addressOf('jsonl')}>{words.asLines}</MenuDownload>
    </Menu>
  )
}
