import { fill } from '@docent/words/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { monthQuery } from '../api/queries.ts'
import type { MonthOfUse } from '../api/records.ts'
import { formatNumber } from '../format.ts'
import { Field } from '../forms/field.tsx'
import { Form, SaveRow } from '../forms/form.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useSpeech } from '../words-context.tsx'

const MOST_TOKENS = 1_000_000_000_000

/** The monthly token limit and the tokens used so far. */
export function Budget({ chatbot }: { chatbot: string }) {
  const month = useQuery(monthQuery(chatbot))
  return (
    <Loaded query={month}>
      {(used) => <BudgetForm key={chatbot} chatbot={chatbot} month={used} />}
    </Loaded>
  )
}

function BudgetForm({ chatbot, month }: { chatbot: string; month: MonthOfUse }) {
  const { words, language } = useSpeech()
  const t = words.usage
  const { total_tokens, token_budget } = month
  const saved = token_budget === null ? '' : String(token_budget)
  const [draft, setDraft] = useState(saved)
  const queries = useQueryClient()
  const { tell } = useToasts()
  const save = useMutation({
    mutationFn: () =>
      post(`/chatbot/${chatbot}/usage/budget`, {
        token_budget: draft === '' ? null : Number(draft),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries(monthQuery(chatbot))
      tell(words.common.saved)
    },
  })
  const used = formatNumber(total_tokens, language)
  return (
    <Form
      className="card stack"
      task={save}
      onSubmit={() => save.mutate()}
      actions={<SaveRow isChanged={draft !== saved} isPending={save.isPending} />}
    >
      <div>
        <h2>{t.budget}</h2>
        <p className="text-ink-soft text-sm">{t.budgetLead}</p>
      </div>
      {token_budget === null ? (
        <p className="text-sm">{fill(t.used, { used })}</p>
      ) : (
        <div className="budget" data-over={total_tokens >= token_budget}>
          <progress
            aria-label={t.budget}
            value={Math.min(total_tokens, token_budget)}
            max={Math.max(1, token_budget)}
          />
          <p className="text-sm">
            {fill(t.usedOf, { used, budget: formatNumber(token_budget, language) })}
          </p>
        </div>
      )}
      <Field label={t.budgetField} hint={t.budgetHint}>
        {(ids) => (
          <input
            {...ids}
            type="number"
            className="input"
            min={0}
            max={MOST_TOKENS}
            step={1}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </Field>
    </Form>
  )
}
