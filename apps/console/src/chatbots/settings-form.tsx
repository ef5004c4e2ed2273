import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { answeringQuery, chatbotQuery, chatbotsQuery } from '../api/queries.ts'
import type { Answering, Chatbot, Visibility } from '../api/records.ts'
import { formatNumber } from '../format.ts'
import { Choice, Field, Switch } from '../forms/field.tsx'
import { Form, SaveRow } from '../forms/form.tsx'
import { NumberField, TextField } from '../forms/text-field.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useSpeech } from '../words-context.tsx'
import { BUILT_IN_MODEL, ModelField } from './model-field.tsx'

type Draft = Chatbot['meta'] & { name: string; pairs_override: boolean }

interface SettingsFormProps {
  chatbot: Chatbot
  answering: Answering
}

export function SettingsForm({ chatbot, answering }: SettingsFormProps) {
  const { words, language } = useSpeech()
  const t = words.settings
  const saved = draftOf(chatbot, answering)
  const [draft, setDraft] = useState(saved)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)

  const queries = useQueryClient()
  const { tell } = useToasts()
  const save = useMutation({
    // Send only changed fields, so that changes from another page are kept.
    mutationFn: async () => {
      const { pairs_override, ...settings } = changesOf(saved, draft)
      const path = `/chatbot/${chatbot.uuid}`
      const answered =
        pairs_override === undefined
          ? answering
          : await post<Answering>(`${path}/answering`, { pairs_override })
      const isSame = Object.keys(settings).length === 0
      const updated = isSame ? chatbot : await post<Chatbot>(`${path}/update`, settings)
      return { updated, answered }
    },
    onSuccess: ({ updated, answered }) => {
      queries.setQueryData(chatbotQuery(chatbot.uuid).queryKey, updated)
      queries.setQueryData(answeringQuery(chatbot.uuid).queryKey, answered)
      void queries.invalidateQueries(chatbotsQuery)
      // The change may select another model.
      void queries.invalidateQueries(answeringQuery(chatbot.uuid))
      setDraft(draftOf(updated, answered))
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
      <ModelField
        value={draft.model}
        saved={saved.model}
        used={answering.model_used}
        onChange={(model) => change({ model })}
      />
      {draft.model !== BUILT_IN_MODEL && (
        <Switch
          label={t.pairsFirst}
          hint={t.pairsFirstHint}
          isOn={draft.pairs_override}
          onChange={(pairs_override) => change({ pairs_override })}
        />
      )}
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

function draftOf({ name, meta }: Chatbot, { pairs_override }: Answering): Draft {
  return { name, ...meta, pairs_override }
}

function changesOf(saved: Draft, draft: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(saved[key as keyof Draft]),
  )
  return Object.fromEntries(changed)
}
