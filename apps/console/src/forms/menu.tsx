import { directionOf } from '@docent/words/words.ts'
import * as DropdownMenu from '@radix-ui/react-dropdown-menu'
import { createContext, type ReactNode, type RefObject, useContext, useRef, useState } from 'react'
import { useSpeech } from '../words-context.tsx'

const MenuButton = createContext<RefObject<HTMLButtonElement | null> | undefined>(undefined)

interface MenuProps {
  trigger: ReactNode
  children: ReactNode
}

/** Not modal: a modal one would lock the page's scrolling with a style that the content policy forbids. */
export function Menu({ trigger, children }: MenuProps) {
  const { language } = useSpeech()
  const button = useRef<HTMLButtonElement>(null)
  // Within a landmark, where screen readers look for all there is. Not in its row, which would cut it off.
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
        // A dialog gives the focus back to what had it, and the menu is gone by then.
        button?.current?.focus()
        onSelect()
      }}
    >
      {children}
    </DropdownMenu.Item>
  )
}

/** Downloads what an address answers with; the answer says what it is called. */
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
            // The menu stays, so that the effect can be seen and undone.
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
