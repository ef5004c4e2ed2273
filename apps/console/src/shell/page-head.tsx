import { type ReactNode, useEffect } from 'react'

/** The id of the page's title. `main` is labeled by it. */
export const PAGE_TITLE = 'page-title'

interface PageHeadProps {
  title: string
  lead?: string | undefined
  children?: ReactNode
}

export function PageHead({ title, lead, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
  return (
    <header className="page-head">
      <div>
        <h1 id={PAGE_TITLE}>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {children && <div className="page-actions">{children}</div>}
    </header>
  )
}
