import { fill, isolated } from '@docent/words/words.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { post } from '../api/client.ts'
import { signInQuery, storageQuery } from '../api/queries.ts'
import { formatBytes, formatNumber } from '../format.ts'
import { Choice, Field } from '../forms/field.tsx'
import { Form } from '../forms/form.tsx'
import { PasswordInput } from '../forms/password-input.tsx'
import { type Theme, usePreferences } from '../preferences.tsx'
import { LanguageSelect } from '../shell/language-select.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useSpeech, useWords } from '../words-context.tsx'

export function AccountPage() {
  const words = useWords()
  const { data } = useQuery(signInQuery)
  const { theme, setTheme } = usePreferences()
  return (
    <div className="page narrow">
      <PageHead
        title={words.account.title}
        lead={fill(words.account.signedInAs, { name: isolated(data?.user?.name ?? '') })}
      />
      <section className="card stack">
        <h2>{words.account.look}</h2>
        <Choice<Theme>
          legend={words.shell.theme}
          value={theme}
          choices={[
            { value: 'auto', label: words.shell.themeAuto },
            { value: 'light', label: words.shell.themeLight },
            { value: 'dark', label: words.shell.themeDark },
          ]}
          onChange={setTheme}
        />
        <Field label={words.shell.language}>{() => <LanguageSelect />}</Field>
      </section>
      <Storage />
      <PasswordForm />
    </div>
  )
}

function Storage() {
  const { words, language } = useSpeech()
  const storage = useQuery(storageQuery)
  const t = words.account
  const outOf = (used: string, most: string | undefined) =>
    most === undefined ? used : fill(t.of, { used, most })
  const number = (value: number) => formatNumber(value, language)
  const size = (bytes: number) => formatBytes(bytes, language)
  return (
    <section className="card stack">
      <h2>{t.storage}</h2>
      <Loaded query={storage}>
        {({ rows, max_rows, bytes, max_bytes }) => (
          <dl className="facts">
            <div>
              <dt>{t.rows}</dt>
              <dd>{outOf(number(rows), max_rows === null ? undefined : number(max_rows))}</dd>
            </div>
            <div>
              <dt>{t.bytes}</dt>
              <dd>{outOf(size(bytes), max_bytes === null ? undefined : size(max_bytes))}</dd>
            </div>
          </dl>
        )}
      </Loaded>
      <p className="field-hint">{t.storageHint}</p>
    </section>
  )
}

function PasswordForm() {
  const words = useWords()
  const { tell } = useToasts()
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: (passwords: object) => post('/user/password', passwords),
    onSuccess: () => {
      form.current?.reset()
      tell(words.account.changed)
    },
  })
  return (
    <Form
      ref={form}
      className="card stack"
      task={change}
      onSubmit={(fields) => change.mutate(fields)}
      actions={
        <button
          type="submit"
          className="button primary self-start"
          aria-disabled={change.isPending}
        >
          {words.account.change}
        </button>
      }
    >
      <h2>{words.account.change}</h2>
      <PasswordInput label={words.account.current} name="current_password" />
      <PasswordInput
        label={words.account.new}
        name="new_password"
        hint={words.signIn.passwordHint}
        isNew
      />
    </Form>
  )
}
