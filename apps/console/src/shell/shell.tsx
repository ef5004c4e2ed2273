import { Icon, type IconName } from '@docent/widget/chat/parts/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { chatbotQuery } from '../api/queries.ts'
import { useWords } from '../words-context.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Logo } from './logo.tsx'
import { PAGE_TITLE } from './page-head.tsx'

/** The frame of all pages for signed-in users. The navigation is at the side, or on top on small screens. */
export function Shell({ userName, children }: { userName: string; children: ReactNode }) {
  const words = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)

  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    setIsOpen(false)
    // Screen readers continue at the start of the new page, not at the link that opened it.
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div className="shell" data-menu={isOpen ? 'open' : 'closed'}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {words.common.skip}
      </button>
      <header className="topbar">
        <Link to="/chatbots" aria-label="Docent">
          <Logo />
        </Link>
        <button
          type="button"
          className="icon-button"
          aria-label={words.common.menu}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </header>
      <nav className="sidebar" id="navigation" aria-label={words.shell.navigation}>
        <Link to="/chatbots" className="sidebar-logo" aria-label="Docent">
          <Logo />
        </Link>
        <Navigation />
        <AccountMenu userName={userName} />
      </nav>
      {/* The label distinguishes it from the `main` of an embedded visitor page. */}
      <main id="main" ref={main} tabIndex={-1} aria-labelledby={PAGE_TITLE}>
        {children}
      </main>
    </div>
  )
}

function Navigation() {
  const words = useWords().shell
  const { uuid } = useParams({ strict: false })
  return (
    <div className="nav-links">
      <NavLink to="/chatbots" icon="chat" text={words.chatbots} isExact />
      {uuid && <ChatbotNavigation uuid={uuid} />}
      <hr />
      <NavLink to="/tokens" icon="key" text={words.tokens} />
      <a className="nav-link" href="/guide" target="_blank" rel="noreferrer">
        <Icon name="book" />
        {words.guide}
      </a>
      <a className="nav-link" href="/docs" target="_blank" rel="noreferrer">
        <Icon name="external" />
        {words.reference}
      </a>
    </div>
  )
}

function ChatbotNavigation({ uuid }: { uuid: string }) {
  const words = useWords().shell
  const { data: chatbot, isError } = useQuery(chatbotQuery(uuid))
  const pages: [string, IconName, string][] = [
    ['settings', 'settings', words.settings],
    ['sources', 'sources', words.sources],
    ['search', 'search', words.search],
    ['share', 'share', words.share],
    ['sessions', 'sessions', words.sessions],
    ['unanswered', 'unanswered', words.unanswered],
    ['usage', 'usage', words.usage],
    ['webhooks', 'hook', words.webhooks],
  ]
  if (isError) return null
  return (
    <div className="nav-group">
      <p className="nav-title">
        <bdi>{chatbot?.name ?? '…'}</bdi>
      </p>
      {pages.map(([path, icon, text]) => (
        <NavLink key={path} to={`/chatbots/${uuid}/${path}`} icon={icon} text={text} />
      ))}
    </div>
  )
}

interface NavLinkProps {
  to: string
  icon: IconName
  text: string
  isExact?: boolean
}

function NavLink({ to, icon, text, isExact = false }: NavLinkProps) {
  return (
    <Link to={to} className="nav-link" activeOptions={{ exact: isExact }}>
      <Icon name={icon} />
      {text}
    </Link>
  )
}
