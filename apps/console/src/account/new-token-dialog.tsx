import { fill } from '@docent/words/words.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { tokensQuery } from '../api/queries.ts'
import type { Scope } from '../api/records.ts'
import { Checks } from '../forms/field.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ShownOnce } from '../forms/shown-once.tsx'
import { SelectField, TextField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'

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
      <ShownOnce
        title={name}
        hint={t.shownOnce}
        label={t.token}
        value={create.data.token}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={t.new}
      task={create}
      submit={words.common.create}
      isIncomplete={scopes.length === 0}
      onClose={onClose}
    >
      <TextField
        label={words.common.name}
        hint={t.nameHint}
        isRequired
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <Checks
        legend={t.scopes}
        choices={SCOPES.map((scope) => [scope, t[scope]])}
        chosen={scopes}
        onChange={setScopes}
      />
      <SelectField
        label={t.expires}
        value={days}
        choices={[
          [0, t.never],
          ...[30, 90, 365].map((count): [number, string] => [count, fill(t.inDays, { count })]),
        ]}
        onChange={setDays}
      />
    </FormDialog>
  )
}
