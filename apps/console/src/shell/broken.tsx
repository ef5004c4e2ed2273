import type { ErrorComponentProps } from '@tanstack/react-router'
import { useWords } from '../words-context.tsx'
import { PageHead } from './page-head.tsx'

/** In place of a page that failed to draw, or that could not be fetched because the server was upgraded meanwhile. */
export function Broken({ error }: ErrorComponentProps) {
  const words = useWords().common
  return (
    <div className="page">
      <PageHead
        title={words.broken}
        lead={error instanceof Error ? error.message : String(error)}
      />
      <button type="button" className="button primary self-start" onClick={() => location.reload()}>
        {words.reload}
      </button>
    </div>
  )
}
