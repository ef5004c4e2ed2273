import { parse, textOn } from './brand-colors.ts'
import { widgetStyles } from './widget-styles.ts'

// What a site owner pastes: <script src="https://…/widget.js" data-chatbot="…" async></script>
// A button in a shadow root, and behind it a frame that is fetched when the button is first pressed. Styles are set
// by script in the shadow root, which no content policy of the site stands against.

interface Look {
  title: string
  color: string
  position: 'right' | 'left'
}

export interface WidgetApi {
  open(): void
  close(): void
  toggle(): void
}

const script = document.currentScript as HTMLScriptElement | null
const origin = script ? new URL(script.src).origin : ''
const chatbot = script?.dataset.chatbot ?? ''
const language = script?.dataset.language

function start(): void {
  void fetch(`${origin}/api/v1/public/chatbot/${chatbot}?channel=widget`)
    .then((response) =>
      response.ok ? response.json() : Promise.reject(new Error(`HTTP ${response.status}`)),
    )
    .then((look: Look) => show(look))
    .catch((error: unknown) => {
      // biome-ignore lint/suspicious/noConsole: the only place where a site owner can look
      console.warn(`Docent: the chatbot ${chatbot} is not open to this site.`, error)
    })
}

function show({ title, color, position }: Look): void {
  const host = document.createElement('docent-widget')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(widgetStyles(color, `rgb(${textOn(parse(color)).join(' ')})`, position))
  root.adoptedStyleSheets = [sheet]

  const button = document.createElement('button')
  button.type = 'button'
  button.setAttribute('aria-label', title)
  button.setAttribute('aria-expanded', 'false')
  const closed = icon('M4 5h16v11H9l-5 4z')
  const opened = icon('M6 9l6 6 6-6')
  button.append(closed)
  root.append(button)
  let frame: HTMLIFrameElement | undefined

  const isOpen = () => host.hasAttribute('open')
  const announce = () => dispatchEvent(new CustomEvent(isOpen() ? 'docent:open' : 'docent:close'))
  const api: WidgetApi = {
    open() {
      if (isOpen()) return
      frame ??= addFrame(root, title)
      host.setAttribute('open', '')
      button.setAttribute('aria-expanded', 'true')
      button.replaceChildren(opened)
      frame.focus()
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
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape') api.close()
  })
  addEventListener('message', ({ source, origin: from, data }) => {
    if (frame && source === frame.contentWindow && from === origin && data?.docent === 'close')
      api.close()
  })
  document.body.append(host)
  Object.assign(window, { Docent: api })
  dispatchEvent(new CustomEvent('docent:ready'))
}

function addFrame(root: ShadowRoot, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = title
  frame.src = `${origin}/widget/${chatbot}${language ? `?language=${encodeURIComponent(language)}` : ''}`
  frame.allow = 'clipboard-write'
  root.prepend(frame)
  return frame
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

if (chatbot !== '') {
  if (document.body) start()
  else addEventListener('DOMContentLoaded', start)
}
