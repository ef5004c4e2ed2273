import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { LANGUAGES, type Language } from '@docent/words/words.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { post } from '../api/client.ts'
import { Menu, MenuChoice, MenuItem, MenuRule } from '../forms/menu.tsx'
import { type Theme, usePreferences } from '../preferences.tsx'
import { useSpeech } from '../words-context.tsx'
import { useToasts } from './toasts.tsx'

export function AccountMenu({ userName }: { userName: string }) {
  const { words: all, language } = useSpeech()
  const words = all.shell
  const { theme, setTheme, setLanguage } = usePreferences()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const signOut = useMutation({
    mutationFn: () => post('/auth/sign-out'),
    onSuccess: () => {
      queries.clear()
      location.assign('/sign-in')
    },
    onError: tellFailure,
  })
  return (
    <Menu
      trigger={
        <button type="button" className="account-button">
          <Icon name="user" />
          <span dir="auto">{userName}</span>
          <Icon name="more" size={16} />
        </button>
      }
    >
      <MenuItem onSelect={() => void navigate({ to: '/account' })}>{words.account}</MenuItem>
      <MenuRule />
      <MenuChoice
        label={words.theme}
        value={theme}
        choices={[
          ['auto', words.themeAuto],
          ['light', words.themeLight],
          ['dark', words.themeDark],
        ]}
        onChange={(value) => setTheme(value as Theme)}
      />
      <MenuRule />
      <MenuChoice
        label={words.language}
        value={language}
        choices={Object.entries(LANGUAGES)}
        onChange={(value) => setLanguage(value as Language)}
      />
      <MenuRule />
      <MenuItem onSelect={() => signOut.mutate()}>{words.signOut}</MenuItem>
    </Menu>
  )
}
