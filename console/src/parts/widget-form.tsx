import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { widgetQuery } from '../api/queries.ts'
import type { Widget } from '../api/records.ts'
import { Choice, Field } from './field.tsx'
import { reasonOf, useToasts } from './toasts.tsx'

/** Lists are written one entry in a line. */
type Draft = Omit<Widget, 'allowed_origins' | 'suggested_questions'> & {
  allowed_origins: string
  suggested_questions: string
}

const toDraft = (widget: Widget): Draft => ({
  ...widget,
  allowed_origins: widget.allowed_origins.join('\n'),
  suggested_questions: widget.suggested_questions.join('\n'),
})

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function WidgetForm({ chatbot, widget }: { chatbot: string; widget: Widget }) {
  const words = useWords()
  const t = words.share
  const [draft, setDraft] = useState(() => toDraft(widget))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isChanged = JSON.stringify(draft) !== JSON.stringify(toDraft(widget))
  const queries = useQueryClient()
  const { tell } = useToasts()
  const save = useMutation({
    mutationFn: () =>
      post<Widget>(`/chatbot/${chatbot}/widget/update`, {
        ...draft,
        allowed_origins: linesOf(draft.allowed_origins),
        suggested_questions: linesOf(draft.suggested_questions),
      }),
    onSuccess: (saved) => {
      queries.setQueryData(widgetQuery(chatbot).queryKey, saved)
      setDraft(toDraft(saved))
      tell(words.common.saved)
    },
  })
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <h2>{t.look}</h2>
      <Field label={t.heading} hint={t.headingHint}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            maxLength={100}
            dir="auto"
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label={t.greeting}>
        {(ids) => (
          <textarea
            {...ids}
            className="input"
            rows={2}
            maxLength={1_000}
            dir="auto"
            placeholder={words.chat.greeting}
            value={draft.greeting}
            onChange={(event) => change({ greeting: event.target.value })}
          />
        )}
      </Field>
      <Field label={t.questions} hint={t.questionsHint}>
        {(ids) => (
          <textarea
            {...ids}
            className="input"
            rows={3}
            dir="auto"
            value={draft.suggested_questions}
            onChange={(event) => change({ suggested_questions: event.target.value })}
          />
        )}
      </Field>
      <div className="two">
        <Field label={t.color}>
          {(ids) => (
            <input
              {...ids}
              type="color"
              className="input color"
              value={draft.color}
              onChange={(event) => change({ color: event.target.value })}
            />
          )}
        </Field>
        <Field label={t.theme}>
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={draft.theme}
              onChange={(event) => change({ theme: event.target.value as Draft['theme'] })}
            >
              <option value="auto">{words.shell.themeAuto}</option>
              <option value="light">{words.shell.themeLight}</option>
              <option value="dark">{words.shell.themeDark}</option>
            </select>
          )}
        </Field>
      </div>
      <Choice<Draft['position']>
        legend={t.position}
        value={draft.position}
        choices={[
          { value: 'left', label: t.left },
          { value: 'right', label: t.right },
        ]}
        onChange={(position) => change({ position })}
      />
      <Field label={t.origins} hint={t.originsHint}>
        {(ids) => (
          <textarea
            {...ids}
            className="input"
            rows={3}
            dir="ltr"
            value={draft.allowed_origins}
            onChange={(event) => change({ allowed_origins: event.target.value })}
          />
        )}
      </Field>
      {save.error && (
        <p className="notice danger" role="alert">
          {reasonOf(save.error, words.common.offline)}
        </p>
      )}
      <div className="save-row">
        <span className="text-ink-soft text-sm" aria-live="polite">
          {isChanged ? words.settings.unsaved : ''}
        </span>
        <button type="submit" className="button primary" disabled={!isChanged || save.isPending}>
          {save.isPending ? words.common.saving : words.common.save}
        </button>
      </div>
    </form>
  )
}
