import type { ErrorComponentProps } from '@tanstack/react-router'
import { useWords } from '../words-context.tsx'
import { PageHead } from './page-head.tsx'

/** Replaces a page that failed to render, or that no longer exists on the server after an upgrade. */
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
