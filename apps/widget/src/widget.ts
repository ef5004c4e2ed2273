import { chooseLanguage } from '@docent/words/words.ts'
import { parse, textOn } from './brand-colors.ts'
import { addChatFrame, type ChatFrame } from './chat-frame.ts'
import { trackVisibleViewport } from './track-visible-viewport.ts'
import { widgetStyles } from './widget-styles.ts'

// The tag on the site: <script src="https://…/widget.js" data-chatbot="…" async></script>
// It adds a launcher button in a shadow root and loads the chat's frame at the first press. A script sets the styles in
// the shadow root, which works under any content security policy.

interface Look {
  title: string
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
}

export interface WidgetApi {
  open(): void
  close(): void
  toggle(): void
}

const script = document.currentScript as HTMLScriptElement | null
const origin = script?.src ? new URL(script.src).origin : ''
const chatbot = script?.dataset.chatbot ?? ''
const language = script?.dataset.language
const address = `${origin}/widget/${chatbot}`

const PAUSES_S = [1, 2, 4, 8, 16, 30]

async function start(): Promise<void> {
  if (isOnPage()) return
  // Added before its look is known, so that a second copy of the tag finds it.
  const host = document.createElement('docent-widget')
  host.dataset.address = address
  document.body.append(host)
  for (let tries = 0; ; tries++) {
    const answer = await fetchLook()
    if (typeof answer === 'object') {
      show(host, answer)
      return
    }
    if (answer !== 'away') {
      host.remove()
      warn(
        `the chatbot ${chatbot} is not available on this site (${answer}). Check its visibility and allowed sites.`,
      )
      return
    }
    if (tries === 0) warn(`the server ${origin} does not respond. Trying again.`)
    await nextTry(PAUSES_S[tries])
  }
}

function isOnPage(): boolean {
  const others = document.querySelectorAll<HTMLElement>('docent-widget')
  return [...others].some((other) => other.dataset.address === address)
}

/** Proxies respond with 502 or similar while the server is down. */
async function fetchLook(): Promise<Look | `HTTP ${number}` | 'away'> {
  try {
    const response = await fetch(`${origin}/api/v1/public/chatbot/${chatbot}?channel=widget`)
    if (response.ok) return await response.json()
    return response.status < 500 ? `HTTP ${response.status}` : 'away'
  } catch {
    return 'away'
  }
}

/** Waits for the pause or until the browser is online. Hidden pages wait until they are visible. */
function nextTry(pauseS: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const go = () => {
      if (document.hidden) return
      waiting.abort()
      resolve()
    }
    if (pauseS !== undefined) setTimeout(go, pauseS * 1000)
    addEventListener('online', go, waiting)
    document.addEventListener('visibilitychange', go, waiting)
  })
}

function show(host: HTMLElement, look: Look): void {
  const { title, position } = look
  // A site that renders with scripts may have removed the element and run the tag again.
  if (!host.isConnected && isOnPage()) return
  const isFirst = document.querySelector('docent-widget[data-side]') === null
  const place = document.querySelectorAll(`docent-widget[data-side=${position}]`).length
  host.dataset.side = position
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  const textColor = `rgb(${textOn(parse(look.color)).join(' ')})`
  sheet.replaceSync(widgetStyles({ ...look, textColor, place }))
  root.adoptedStyleSheets = [sheet]

  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'launcher'
  button.setAttribute('aria-label', title)
  button.setAttribute('aria-expanded', 'false')
  const closed = icon('M4 5h16v11H9l-5 4z')
  const opened = icon('M6 9l6 6 6-6')
  button.append(closed)
  root.append(button)
  let chat: ChatFrame | undefined

  const isOpen = () => host.hasAttribute('open')
  const isReady = () => host.hasAttribute('ready')
  const announce = () => dispatchEvent(new CustomEvent(isOpen() ? 'docent:open' : 'docent:close'))
  const load = (): ChatFrame => {
    chat?.remove()
    chat = addChatFrame(root, frameOptions(title), () => {
      load()
      button.focus()
    })
    return chat
  }
  const api: WidgetApi = {
    open() {
      if (isOpen()) return
      closeOthers()
      const { frame } = chat && isReady() ? chat : load()
      host.setAttribute('open', '')
      button.setAttribute('aria-expanded', 'true')
      button.replaceChildren(opened)
      // A frame that is not ready would swallow key presses.
      if (isReady()) frame.focus()
      else button.focus()
      announce()
    },
    close() {
      if (!isOpen()) return
      host.removeAttribute('open')
      button.setAttribute('aria-expanded', 'false')
      button.replaceChildren(closed)
      button.focus()
      announce()
    },
    toggle: () => (isOpen() ? api.close() : api.open()),
  }
  button.addEventListener('click', api.toggle)
  // Leave Escape to the site, except when the widget has the focus or its frame is not ready.
  const onKey = ({ key, target }: KeyboardEvent) => {
    if (key === 'Escape' && (target === host || !isReady())) api.close()
  }
  addEventListener('keydown', onKey, { capture: true })
  addEventListener('message', ({ source, origin: from, data }) => {
    if (!chat || source !== chat.frame.contentWindow || from !== origin) return
    if (data?.docent === 'close') api.close()
    if (data?.docent === 'shown') chat.reveal()
    if (data?.docent !== 'ready') return
    host.setAttribute('ready', '')
    if (isOpen() && document.activeElement === host) chat.frame.focus()
  })
  trackVisibleViewport(host)
  document.body.append(host)
  if (!isFirst) return
  Object.assign(window, { Docent: api })
  dispatchEvent(new CustomEvent('docent:ready'))
}

/** Open widgets would overlap. Each tag runs its own script, so other widgets are reachable only by their buttons. */
function closeOthers(): void {
  for (const { shadowRoot } of document.querySelectorAll('docent-widget[open]'))
    shadowRoot?.querySelector<HTMLButtonElement>('.launcher')?.click()
}

function frameOptions(title: string) {
  return {
    title,
    src: `${address}${language ? `?language=${encodeURIComponent(language)}` : ''}`,
    language: chooseLanguage(language ? [language] : navigator.languages),
  }
}

function icon(path: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: site owners can look only in the console
  console.warn(`Docent: ${text}`)
}

if (origin === '') {
  warn('the tag must be <script src="…/widget.js" data-chatbot="…">, without type="module".')
} else if (chatbot === '') {
  warn('the tag needs data-chatbot="…" with the ID of a chatbot.')
} else if (document.body) void start()
else addEventListener('DOMContentLoaded', start)
