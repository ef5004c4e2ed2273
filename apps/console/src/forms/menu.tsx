import { directionOf } from '@docent/words/words.ts'
import * as DropdownMenu from '@radix-ui/react-dropdown-menu'
import { createContext, type ReactNode, type RefObject, useContext, useRef, useState } from 'react'
import { useSpeech } from '../words-context.tsx'

const MenuButton = createContext<RefObject<HTMLButtonElement | null> | undefined>(undefined)

interface MenuProps {
  trigger: ReactNode
  children: ReactNode
}

/** Not modal: a modal menu would lock the page's scrolling with a style that the content security policy forbids. */
export function Menu({ trigger, children }: MenuProps) {
  const { language } = useSpeech()
  const button = useRef<HTMLButtonElement>(null)
  // The menu opens inside a landmark, so that screen readers find it. Inside its row it would be clipped.
  const [landmark, setLandmark] = useState<HTMLElement | null>(null)
  return (
    <DropdownMenu.Root
      modal={false}
      dir={directionOf(language)}
      onOpenChange={() => setLandmark(document.getElementById('main'))}
    >
      <DropdownMenu.Trigger asChild ref={button}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={landmark}>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          <MenuButton value={button}>{children}</MenuButton>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface MenuItemProps {
  children: ReactNode
  isDangerous?: boolean
  onSelect: () => void
}

export function MenuItem({ children, isDangerous = false, onSelect }: MenuItemProps) {
  const button = useContext(MenuButton)
  return (
    <DropdownMenu.Item
      className={isDangerous ? 'menu-item danger' : 'menu-item'}
      onSelect={() => {
        // A closing dialog returns the focus to the element that had it. The menu item no longer exists by then.
        button?.current?.focus()
        onSelect()
      }}
    >
      {children}
    </DropdownMenu.Item>
  )
}

/** Downloads a URL. The response names the file. */
export function MenuDownload({ children, href }: { children: ReactNode; href: string }) {
  return (
    <DropdownMenu.Item className="menu-item" asChild>
      <a href={href} download>
        {children}
      </a>
    </DropdownMenu.Item>
  )
}

interface MenuChoiceProps {
  label: string
  value: string
  choices: [value: string, label: string][]
  onChange: (value: string) => void
}

export function MenuChoice({ label, value, choices, onChange }: MenuChoiceProps) {
  return (
    <>
      <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={value} onValueChange={onChange}>
        {choices.map(([choice, text]) => (
          <DropdownMenu.RadioItem
            key={choice}
            value={choice}
            className="menu-item"
            // Keep the menu open, so that the user can see and undo the effect.
            onSelect={(event) => event.preventDefault()}
          >
            {text}
            <DropdownMenu.ItemIndicator className="menu-check">✓</DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  )
}

export function MenuRule() {
  return <DropdownMenu.Separator className="menu-rule" />
}
