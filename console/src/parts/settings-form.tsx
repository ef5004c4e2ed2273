import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { chatbotQuery, chatbotsQuery, modelsQuery } from '../api/queries.ts'
import type { Chatbot, Visibility } from '../api/records.ts'
import { formatNumber } from '../format.ts'
import { useSpeech } from '../words-context.tsx'
import { Choice, Field, Switch } from './field.tsx'
import { Form, SaveRow } from './form.tsx'
import { NumberField, SelectField, TextField } from './text-field.tsx'
import { useToasts } from './toasts.tsx'

const BUILT_IN_MODEL = 'docent-quote'

type Draft = Chatbot['meta'] & { name: string }

export function SettingsForm({ chatbot }: { chatbot: Chatbot }) {
  const { words, language } = useSpeech()
  const t = words.settings
  const saved: Draft = { name: chatbot.name, ...chatbot.meta }
  const [draft, setDraft] = useState(saved)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)

  const queries = useQueryClient()
  const { tell } = useToasts()
  const save = useMutation({
    // Only what was changed: what another page has changed meanwhile stays.
    mutationFn: () => post<Chatbot>(`/chatbot/${chatbot.uuid}/update`, changesOf(saved, draft)),
    onSuccess: (updated) => {
      queries.setQueryData(chatbotQuery(chatbot.uuid).queryKey, updated)
      void queries.invalidateQueries(chatbotsQuery)
      setDraft({ name: updated.name, ...updated.meta })
      tell(words.common.saved)
    },
  })
  const [messages, seconds] = draft.rate_limit
  return (
    <Form
      className="card stack"
      task={save}
      onSubmit={() => save.mutate()}
      actions={<SaveRow isChanged={isChanged} isPending={save.isPending} />}
    >
      <TextField
        label={words.common.name}
        value={draft.name}
        maxLength={255}
        isRequired
        onChange={(name) => change({ name })}
      />
      <ModelField value={draft.model} onChange={(model) => change({ model })} />
      <TextField
        label={t.prompt}
        hint={draft.model === BUILT_IN_MODEL ? t.promptUnused : t.promptHint}
        rows={4}
        value={draft.prompt}
        maxLength={32_000}
        onChange={(prompt) => change({ prompt })}
      />
      <Field
        label={`${t.temperature}: ${formatNumber(draft.temperature, language)}`}
        hint={t.temperatureHint}
      >
        {(ids) => (
          <input
            {...ids}
            type="range"
            min={0}
            max={2}
            step={0.1}
            value={draft.temperature}
            onChange={(event) => change({ temperature: Number(event.target.value) })}
          />
        )}
      </Field>
      <Switch
        label={t.citations}
        hint={t.citationsHint}
        isOn={draft.show_citations}
        onChange={(show_citations) => change({ show_citations })}
      />
      <Choice<Visibility>
        legend={t.visibility}
        value={draft.visibility}
        choices={[
          { value: 'private', label: words.chatbots.private, hint: t.privateHint },
          { value: 'hybrid', label: words.chatbots.hybrid, hint: t.hybridHint },
          { value: 'public', label: words.chatbots.public, hint: t.publicHint },
        ]}
        onChange={(visibility) => change({ visibility })}
      />
      <fieldset className="choice">
        <legend>{t.rateLimit}</legend>
        <div className="two">
          <NumberField
            label={t.rateMessages}
            value={messages}
            max={10_000}
            onChange={(value) => change({ rate_limit: [value, seconds] })}
          />
          <NumberField
            label={t.rateSeconds}
            value={seconds}
            max={86_400}
            onChange={(value) => change({ rate_limit: [messages, value] })}
          />
        </div>
        <p className="field-hint">{t.rateHint}</p>
      </fieldset>
      <TextField
        label={t.rateMessage}
        value={draft.rate_limit_message}
        maxLength={2_000}
        onChange={(rate_limit_message) => change({ rate_limit_message })}
      />
    </Form>
  )
}

function changesOf(saved: Draft, draft: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(saved[key as keyof Draft]),
  )
  return Object.fromEntries(changed)
}

function ModelField({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const { words } = useSpeech()
  const { data: models = [] } = useQuery(modelsQuery)
  const choices = models.map((model): [string, string] => [
    model.name,
    model.default ? fill(words.settings.modelDefault, { name: model.name }) : model.name,
  ])
  // A name of a well-known family may be set over the interface without being there.
  if (!models.some(({ name }) => name === value)) choices.unshift([value, value])
  return (
    <SelectField
      label={words.settings.model}
      hint={models.length > 1 ? words.settings.modelHint : words.settings.moreModels}
      value={value}
      choices={choices}
      onChange={onChange}
    />
  )
}
