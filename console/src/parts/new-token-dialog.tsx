import { Modal } from '@docent/widget/chat/modal.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { tokensQuery } from '../api/queries.ts'
import type { Scope } from '../api/records.ts'
import { CopyField } from './copy-field.tsx'
import { Field } from './field.tsx'
import { reasonOf } from './toasts.tsx'

const SCOPES: Scope[] = ['read', 'write', 'chat']

export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const t = words.tokens
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(SCOPES)
  const [days, setDays] = useState(0)
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      post<{ token: string }>('/token/create', {
        name,
        scopes,
        ...(days > 0 && { expires_in_days: days }),
      }),
    onSuccess: () => queries.invalidateQueries(tokensQuery),
  })
  if (create.data) {
    return (
      <Modal title={name} onClose={onClose}>
        <p>{t.shownOnce}</p>
        <CopyField label={t.new} value={create.data.token} />
        <div className="dialog-actions">
          <button type="button" className="button primary" onClick={onClose}>
            {words.common.close}
          </button>
        </div>
      </Modal>
    )
  }
  const toggle = (scope: Scope) =>
    setScopes(
      SCOPES.filter((one) => (one === scope ? !scopes.includes(one) : scopes.includes(one))),
    )
  return (
    <Modal title={t.new} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label={words.common.name} hint={t.nameHint}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              required
              maxLength={100}
              dir="auto"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="choice">
          <legend>{t.scopes}</legend>
          <div className="checks">
            {SCOPES.map((scope) => (
              <label key={scope} className="check">
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={() => toggle(scope)}
                />
                {t[scope]}
              </label>
            ))}
          </div>
        </fieldset>
        <Field label={t.expires}>
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={days}
              onChange={(event) => setDays(Number(event.target.value))}
            >
              <option value={0}>{t.never}</option>
              {[30, 90, 365].map((count) => (
                <option key={count} value={count}>
                  {fill(t.inDays, { count })}
                </option>
              ))}
            </select>
          )}
        </Field>
        {create.error && (
          <p className="notice danger" role="alert">
            {reasonOf(create.error, words.common.offline)}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={create.isPending || scopes.length === 0}
          >
            {words.common.create}
          </button>
        </div>
      </form>
    </Modal>
  )
}
