type Attributes = Record<string, string>

// Words in the names of classes of what opens and closes.
const PANELS = namedLike(
  'collapse|collapsible|accordion|panel|tabpanel|pane|faq|answer|expand|expandable|toggle',
)
const MENUS = namedLike(
  'menu|menus|nav|navbar|navigation|dropdown|modal|popup|dialog|search|cookie|cookies|cart|login',
)

function namedLike(words: string): RegExp {
  return new RegExp(`(?:^|[\\s_-])(?:${words})(?:$|[\\s_-])`, 'i')
}

// A page may forget where a tab ends.
const LONGEST_LABEL = 100

/** What a page shows when somebody clicks: the answers of an accordion, and what is behind tabs. It is hidden, but meant to be read. */
export class Disclosures {
  readonly #controlled = new Set<string>()
  readonly #tabs = new Map<string, string>()
  #openTab: string | undefined

  /** Whether a click on this element shows and hides another one, which is remembered. */
  isToggle(attributes: Attributes): boolean {
    const target =
      attributes['aria-controls'] ?? attributes['data-bs-target'] ?? attributes['data-target']
    if (target) this.#controlled.add(target.replace(/^#/, ''))
    return attributes['aria-expanded'] !== undefined
  }

  /** Whether this is shown by a click, and is no menu. */
  isPanel(name: string, { id = '', class: classes = '', role = '' }: Attributes): boolean {
    if (name === 'nav' || role === 'menu' || MENUS.test(`${id} ${classes}`)) return false
    return role === 'tabpanel' || this.#controlled.has(id) || PANELS.test(`${id} ${classes}`)
  }

  openTab({ id, role }: Attributes): void {
    if (role !== 'tab' || !id) return
    this.#openTab = id
    this.#tabs.set(id, '')
  }

  /** What the tab says that is being read. */
  readTab(text: string): void {
    if (this.#openTab === undefined) return
    const known = this.#tabs.get(this.#openTab)!
    this.#tabs.set(this.#openTab, (known + text).slice(0, LONGEST_LABEL))
  }

  closeTab(): void {
    this.#openTab = undefined
  }

  /** What is written on the tab of a panel. */
  labelOf({ role, 'aria-labelledby': tab = '' }: Attributes): string {
    return role === 'tabpanel' ? (this.#tabs.get(tab)?.replace(/\s+/g, ' ').trim() ?? '') : ''
  }
}
