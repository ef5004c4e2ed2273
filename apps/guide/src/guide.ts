import './guide.css'
import { offerSearch } from './offer-search.ts'

offerSearch()
showCurrentPage()
offerTheme()
offerMenu()
offerCopies()

/** The contents may be longer than the screen. */
function showCurrentPage(): void {
  document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' })
}

function offerTheme(): void {
  const root = document.documentElement
  const isDark = () =>
    root.dataset.theme === 'dark' ||
    (root.dataset.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.querySelector('#theme')?.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    localStorage.setItem('docent.theme', root.dataset.theme)
  })
}

/** On phones, a button opens the contents. */
function offerMenu(): void {
  const button = document.querySelector('#menu')!
  const toggle = (open: boolean) => {
    document.body.classList.toggle('menu-open', open)
    button.setAttribute('aria-expanded', String(open))
    if (open) showCurrentPage()
  }
  button.addEventListener('click', () => toggle(!document.body.classList.contains('menu-open')))
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') toggle(false)
  })
}

function offerCopies(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    block.append(button)
  }
}
