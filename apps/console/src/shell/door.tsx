import { type ReactNode, useEffect } from 'react'
import { LanguageSelect } from './language-select.tsx'
import { Logo } from './logo.tsx'

/** The frame of the sign-in and setup pages. */
export function Door({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
  return (
    <main className="door">
      <div className="door-card">
        <Logo />
        <h1>{title}</h1>
        {lead && <p className="text-ink-soft">{lead}</p>}
        {children}
      </div>
      <LanguageSelect />
    </main>
  )
}
