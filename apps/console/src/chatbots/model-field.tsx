import { fill } from '@docent/words/words.ts'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../api/queries.ts'
import { SelectField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'

export const BUILT_IN_MODEL = 'docent-quote'

interface ModelFieldProps {
  value: string
  saved: string
  /** The model that answers now. It differs from `saved` when that model is missing. */
  used: string
  onChange: (model: string) => void
}

/** Selects the model. A chatbot keeps its model when the server's default changes. The field offers the new default. */
export function ModelField({ value, saved, used, onChange }: ModelFieldProps) {
  const { settings: words } = useWords()
  const { data: models = [] } = useQuery(modelsQuery)
  const choices = models.map((model): [string, string] => [
    model.name,
    model.default ? fill(words.modelDefault, { name: model.name }) : model.name,
  ])
  const isListed = (wanted: string) => models.some(({ name }) => name === wanted)
  // The API accepts model names of well-known families that the server does not list.
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
