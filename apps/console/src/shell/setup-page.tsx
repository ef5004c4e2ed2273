import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { signInQuery } from '../api/queries.ts'
import type { SignInState } from '../api/records.ts'
import { Field } from '../forms/field.tsx'
import { Form } from '../forms/form.tsx'
import { NameInput } from '../forms/name-input.tsx'
import { PasswordInput } from '../forms/password-input.tsx'
import { useWords } from '../words-context.tsx'
import { Door } from './door.tsx'

/** The first page of a new server. */
export function SetupPage() {
  const words = useWords()
  const queries = useQueryClient()
  // The printed link has the code in its fragment, which browsers never send. Codes from earlier starts are rejected.
  const [code] = useState(() => location.hash.slice(1))
  const create = useMutation({
    mutationFn: (account: object) => post<SignInState>('/auth/setup', account),
    onSuccess: (state) => {
      history.replaceState(null, '', location.pathname)
      queries.setQueryData(signInQuery.queryKey, state)
    },
  })
  return (
    <Door title={words.signIn.welcome} lead={words.signIn.setupLead}>
      <Form
        task={create}
        onSubmit={(fields) => create.mutate(fields)}
        actions={
          <button type="submit" className="button primary" aria-disabled={create.isPending}>
            {words.signIn.create}
          </button>
        }
      >
        <NameInput name="owner" />
        <PasswordInput
          label={words.signIn.password}
          name="password"
          hint={words.signIn.passwordHint}
          isNew
          isFirst
        />
        {code === '' || create.isError ? (
          <Field label={words.signIn.code} hint={words.signIn.codeHint}>
            {(ids) => (
              <input
                {...ids}
                className="input"
                name="code"
                defaultValue={code}
                required
                dir="ltr"
                autoComplete="off"
              />
            )}
          </Field>
        ) : (
          <input type="hidden" name="code" value={code} />
        )}
      </Form>
    </Door>
  )
}
