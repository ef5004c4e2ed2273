type Attributes = Record<string, string>

// Words in class names of elements that open and close.
const PANELS = namedLike(
  'collapse|collapsible|accordion|panel|tabpanel|pane|faq|answer|expand|expandable|toggle',
)
const MENUS = namedLike(
  'menu|menus|nav|navbar|navigation|dropdown|modal|popup|dialog|search|cookie|cookies|cart|login',
)

function namedLike(words: string): RegExp {
  return new RegExp(`(?:^|[\\s_-])(?:${words})(?:$|[\\s_-])`, 'i')
}

// A page can forget to close a tab.
const LONGEST_LABEL = 100

/** Detects content that a page shows on click: accordions and tabs. It is hidden but meant to be read. */
export class Disclosures {
  readonly #controlled = new Set<string>()
  readonly #tabs = new Map<string, string>()
  #openTab: string | undefined

  /** Whether a click on this element shows another element. Remembers that element's id. */
  isToggle(attributes: Attributes): boolean {
    const target =
      attributes['aria-controls'] ?? attributes['data-bs-target'] ?? attributes['data-target']
    if (target) this.#controlled.add(target.replace(/^#/, ''))
    return attributes['aria-expanded'] !== undefined
  }

  /** Whether a click shows this element and it is not a menu. */
  isPanel(name: string, { id = '', class: classes = '', role = '' }: Attributes): boolean {
    if (name === 'nav' || role === 'menu' || MENUS.test(`${id} ${classes}`)) return false
    return role === 'tabpanel' || this.#controlled.has(id) || PANELS.test(`${id} ${classes}`)
  }

  openTab({ id, role }: Attributes): void {
    if (role !== 'tab' || !id) return
    this.#openTab = id
    this.#tabs.set(id, '')
  }

  /** Collects the label of the open tab. */
  readTab(text: string): void {
    if (this.#openTab === undefined) return
    const known = this.#tabs.get(this.#openTab)!
    this.#tabs.set(this.#openTab, (known + text).slice(0, LONGEST_LABEL))
  }

  closeTab(): void {
    this.#openTab = undefined
  }

  /** The label of a panel's tab. */
  labelOf({ role, 'aria-labelledby': tab = '' }: Attributes): string {
    return role === 'tabpanel' ? (this.#tabs.get(tab)?.replace(/\s+/g, ' ').trim() ?? '') : ''
  }
}
