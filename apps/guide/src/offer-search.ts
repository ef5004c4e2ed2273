import type { Found } from '../render/write-guide.ts'
import { type Hit, makeSearch } from './rank-sections.ts'

/** The index loads when the user first focuses the search field. */
export function offerSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search')!
  const list = document.querySelector<HTMLElement>('#results')!
  let index: Promise<ReturnType<typeof makeSearch>> | undefined
  const load = () => {
    index ??= fetch('/guide/search.json').then(async (response) =>
      makeSearch((await response.json()) as Found[]),
    )
    return index
  }

  const select = (item: Element | undefined) => {
    for (const other of list.children) other.setAttribute('aria-selected', 'false')
    item?.setAttribute('aria-selected', 'true')
    item?.scrollIntoView({ block: 'nearest' })
    if (item) field.setAttribute('aria-activedescendant', item.id)
    else field.removeAttribute('aria-activedescendant')
  }
  const close = () => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    select(undefined)
  }
  const show = async () => {
    const query = field.value.trim()
    if (query === '') return close()
    const found = (await load())(query)
    if (field.value.trim() !== query) return
    list.replaceChildren(...(found.length > 0 ? found.map(itemOf) : [nothingFound()]))
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
    select(found.length > 0 ? list.children[0] : undefined)
  }

  field.addEventListener('focus', () => void load())
  field.addEventListener('input', () => void show())
  field.addEventListener('keydown', (event) => {
    const items = [...list.children]
    const at = items.findIndex((item) => item.getAttribute('aria-selected') === 'true')
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter') items[at]?.querySelector('a')?.click()
    else if (event.key === 'ArrowDown') select(items[(at + 1) % items.length])
    else if (event.key === 'ArrowUp') select(items.at(at - 1))
    else return
    event.preventDefault()
  })
  list.addEventListener('click', close)
  addEventListener('click', ({ target }) => {
    if (!(target as Element).closest('.search')) close()
  })
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target as Element).closest('input')) return
    event.preventDefault()
    field.focus()
  })
}

function itemOf({ section: { url, page, heading }, excerpt }: Hit, index: number): HTMLElement {
  const item = document.createElement('div')
  item.role = 'option'
  item.id = `result-${index}`
  const link = document.createElement('a')
  link.href = url
  link.tabIndex = -1
  link.append(line('strong', heading))
  if (heading !== page) link.append(line('small', page))
  link.append(line('span', excerpt))
  item.append(link)
  return item
}

function nothingFound(): HTMLElement {
  const item = line('p', 'No results. Try other words.')
  item.className = 'nothing'
  return item
}

function line(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}
