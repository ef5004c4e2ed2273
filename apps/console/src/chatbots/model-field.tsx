import { fill } from '@docent/words/words.ts'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../api/queries.ts'
import { SelectField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'

export const BUILT_IN_MODEL = 'docent-quote'

interface ModelFieldProps {
  value: string
  /** As it is saved. */
  saved: string
  /** What answers while it is saved so. */
  used: string
  onChange: (model: string) => void
}

/** Which model answers. A chatbot keeps its own; where the server's default is another one, that is offered. */
export function ModelField({ value, saved, used, onChange }: ModelFieldProps) {
  const { settings: words } = useWords()
  const { data: models = [] } = useQuery(modelsQuery)
  const choices = models.map((model): [string, string] => [
    model.name,
    model.default ? fill(words.modelDefault, { name: model.name }) : model.name,
  ])
  const isListed = (wanted: string) => models.some(({ name }) => name === wanted)
  // A name of a well-known family may be set over the interface without being there.
  if (!isListed(value)) choices.unshift([value, value])
  const usual = models.find((model) => model.default)?.name
  const isOffered = usual !== undefined && saved !== usual && value === saved
  const sentence = !isListed(saved) && used === usual ? words.modelGone : words.modelOther
  return (
    <>
      <SelectField
        label={words.model}
        hint={models.length > 1 ? words.modelHint : words.moreModels}
        value={value}
        choices={choices}
        onChange={onChange}
      />
      {isOffered && (
        <div className="notice">
          <span dir="auto">{fill(sentence, { name: saved, default: usual })}</span>
          <button type="button" className="button small" onClick={() => onChange(usual)}>
            {fill(words.useModel, { name: usual })}
          </button>
        </div>
      )}
    </>
  )
}
