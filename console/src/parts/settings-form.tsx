import { useSpeech } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { chatbotQuery, chatbotsQuery, modelsQuery } from '../api/queries.ts'
import type { Chatbot, Visibility } from '../api/records.ts'
import { formatNumber } from '../format.ts'
import { Choice, Field, Switch } from './field.tsx'
import { reasonOf, useToasts } from './toasts.tsx'

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
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field label={words.common.name}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            value={draft.name}
            maxLength={255}
            required
            dir="auto"
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <ModelField value={draft.model} onChange={(model) => change({ model })} />
      <Field label={t.prompt} hint={t.promptHint}>
        {(ids) => (
          <textarea
            {...ids}
            className="input"
            rows={4}
            value={draft.prompt}
            maxLength={32_000}
            dir="auto"
            onChange={(event) => change({ prompt: event.target.value })}
          />
        )}
      </Field>
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
      <div className="two">
        <Field label={`${t.rateLimit}: ${t.rateMessages}`}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              className="input"
              min={1}
              max={10_000}
              required
              value={messages}
              onChange={(event) => change({ rate_limit: [event.target.valueAsNumber, seconds] })}
            />
          )}
        </Field>
        <Field label={t.rateSeconds}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              className="input"
              min={1}
              max={86_400}
              required
              value={seconds}
              onChange={(event) => change({ rate_limit: [messages, event.target.valueAsNumber] })}
            />
          )}
        </Field>
      </div>
      <Field label={t.rateMessage} hint={t.rateHint}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            value={draft.rate_limit_message}
            maxLength={2_000}
            dir="auto"
            onChange={(event) => change({ rate_limit_message: event.target.value })}
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
          {isChanged ? t.unsaved : ''}
        </span>
        <button type="submit" className="button primary" disabled={!isChanged || save.isPending}>
          {save.isPending ? words.common.saving : words.common.save}
        </button>
      </div>
    </form>
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
  const isListed = models.some(({ name }) => name === value)
  return (
    <Field label={words.settings.model} hint={words.settings.modelHint}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {/* A name of a well-known family may be set over the interface without being there. */}
          {!isListed && <option value={value}>{value}</option>}
          {models.map((model) => (
            <option key={model.name} value={model.name}>
              {model.default ? fill(words.settings.modelDefault, { name: model.name }) : model.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
