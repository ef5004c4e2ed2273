import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { get, post, upload } from '../api/client.ts'
import { chatbotsQuery } from '../api/queries.ts'
import { type Chatbot, isWorking, type Source } from '../api/records.ts'
import { Switch } from '../forms/field.tsx'
import { Form } from '../forms/form.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'

const LOOK_EVERY_MS = 150
const LONGEST_WAIT_MS = 10_000

/** Waits for the source, so that the first question finds its answer. Gives up after `LONGEST_WAIT_MS`. */
async function untilTakenIn({ uuid }: Source): Promise<void> {
  const end = Date.now() + LONGEST_WAIT_MS
  while (isWorking(await get<Source>(`/data-source/${uuid}`)) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Requires only a name. With the sample source, the user can ask a question right away. */
export function NewChatbotForm({ isFirst = false }: { isFirst?: boolean }) {
  const words = useWords()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [withSample, setWithSample] = useState(isFirst)

  async function addSample(uuid: string): Promise<void> {
    const { sampleText, sampleTitle, sampleQuestion1, sampleQuestion2 } = words.chatbots
    const file = new File([sampleText], `${sampleTitle}.md`)
    const source = await upload(uuid, file, () => {})
    await post(`/chatbot/${uuid}/widget/update`, {
      suggested_questions: [sampleQuestion1, sampleQuestion2],
    })
    await untilTakenIn(source)
  }

  const create = useMutation({
    mutationFn: async () => {
      const chatbot = await post<Chatbot>('/chatbot/create', { name, show_citations: true })
      if (withSample) await addSample(chatbot.uuid)
      return chatbot
    },
    onSuccess: async ({ uuid }) => {
      await queries.invalidateQueries(chatbotsQuery)
      const to = withSample ? '/chatbots/$uuid/settings' : '/chatbots/$uuid/sources'
      await navigate({ to, params: { uuid } })
    },
  })

  return (
    <Form
      task={create}
      onSubmit={() => create.mutate()}
      actions={
        <div className="dialog-actions">
          <button
            type="submit"
            className="button primary"
            disabled={name.trim() === ''}
            aria-disabled={create.isPending}
          >
            {create.isPending ? words.common.creating : words.common.create}
          </button>
        </div>
      }
    >
      <TextField
        label={words.common.name}
        hint={words.chatbots.nameHint}
        maxLength={255}
        isRequired
        isFirst
        value={name}
        onChange={setName}
      />
      <Switch
        label={words.chatbots.withSample}
        hint={words.chatbots.withSampleHint}
        isOn={withSample}
        onChange={setWithSample}
      />
    </Form>
  )
}
