import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '../api/client.ts'
import { widgetQuery } from '../api/queries.ts'
import type { Widget } from '../api/records.ts'
import { Choice, Field } from '../forms/field.tsx'
import { Form, SaveRow } from '../forms/form.tsx'
import { linesOf } from '../forms/lines.ts'
import { SelectField, TextField } from '../forms/text-field.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'

/** Text areas hold lists with one entry per line. */
type Draft = Omit<Widget, 'allowed_origins' | 'suggested_questions'> & {
  allowed_origins: string
  suggested_questions: string
}

const toDraft = (widget: Widget): Draft => ({
  ...widget,
  allowed_origins: widget.allowed_origins.join('\n'),
  suggested_questions: widget.suggested_questions.join('\n'),
})

interface WidgetFormProps {
  chatbot: string
  widget: Widget
  /** Called on every change, for the preview. */
  onDraft: (widget: Widget) => void
}

const toWidget = (draft: Draft): Widget => ({
  ...draft,
  allowed_origins: linesOf(draft.allowed_origins),
  suggested_questions: linesOf(draft.suggested_questions),
})

function changesOf(draft: Draft, base: Widget): Partial<Widget> {
  const before = toWidget(toDraft(base))
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Widget])
  return Object.fromEntries(Object.entries(toWidget(draft)).filter(isChanged))
}

export function WidgetForm({ chatbot, widget, onDraft }: WidgetFormProps) {
  const words = useWords()
  const t = words.share
  // The state before the user's changes. The form sends only the difference, so that other users' changes are kept.
  const [base, setBase] = useState(widget)
  const [draft, setDraft] = useState(() => toDraft(widget))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  useEffect(() => onDraft(toWidget(draft)), [draft, onDraft])
  const isChanged = JSON.stringify(draft) !== JSON.stringify(toDraft(base))
  const queries = useQueryClient()
  const { tell } = useToasts()
  const save = useMutation({
    mutationFn: () => post<Widget>(`/chatbot/${chatbot}/widget/update`, changesOf(draft, base)),
    onSuccess: (saved) => {
      queries.setQueryData(widgetQuery(chatbot).queryKey, saved)
      setBase(saved)
      setDraft(toDraft(saved))
      tell(words.common.saved)
    },
  })
  return (
    <Form
      className="card stack"
      task={save}
      onSubmit={() => save.mutate()}
      actions={<SaveRow isChanged={isChanged} isPending={save.isPending} />}
    >
      <h2>{t.look}</h2>
      <TextField
        label={t.heading}
        hint={t.headingHint}
        maxLength={100}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <TextField
        label={t.greeting}
        rows={2}
        maxLength={1_000}
        placeholder={words.chat.greeting}
        value={draft.greeting}
        onChange={(greeting) => change({ greeting })}
      />
      <TextField
        label={t.questions}
        hint={t.questionsHint}
        rows={3}
        value={draft.suggested_questions}
        onChange={(suggested_questions) => change({ suggested_questions })}
      />
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
        <SelectField<Draft['theme']>
          label={t.theme}
          value={draft.theme}
          choices={[
            ['auto', words.shell.themeAuto],
            ['light', words.shell.themeLight],
            ['dark', words.shell.themeDark],
          ]}
          onChange={(theme) => change({ theme })}
        />
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
      <TextField
        label={t.origins}
        hint={t.originsHint}
        rows={3}
        isCode
        value={draft.allowed_origins}
        onChange={(allowed_origins) => change({ allowed_origins })}
      />
    </Form>
  )
}
