import { hasKeyboard } from '@docent/widget/chat/parts/has-keyboard.ts'
import { Field } from './field.tsx'

interface TextFieldProps {
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  /** More than 1 makes it a text area, which grows with its text. */
  rows?: number
  maxLength?: number
  isRequired?: boolean
  /** The field is the page's main purpose, so it gets the focus. */
  isFirst?: boolean
  placeholder?: string
  /** URLs and code are written from left to right in every language. */
  isCode?: boolean
  /** For short text in several rows: Enter submits, Shift+Enter starts a new line. */
  sendsOnEnter?: boolean
}

export function TextField({ label, hint, value, onChange, rows = 1, ...options }: TextFieldProps) {
  const { maxLength, isRequired = false, isFirst = false, placeholder, isCode = false } = options
  // Treat spaces as empty, so that the browser reports the missing value.
  const change = (text: string) => onChange(isRequired && text.trim() === '' ? '' : text)
  return (
    <Field label={label} hint={hint}>
      {(ids) => {
        const attributes = {
          ...ids,
          className: 'input',
          value,
          maxLength,
          required: isRequired,
          autoFocus: isFirst && hasKeyboard(),
          placeholder,
          dir: isCode ? 'ltr' : 'auto',
        }
        if (rows === 1) {
          return <input {...attributes} onChange={(event) => change(event.target.value)} />
        }
        return (
          <textarea
            {...attributes}
            rows={rows}
            onKeyDown={(event) => {
              if (!options.sendsOnEnter || event.key !== 'Enter' || event.shiftKey) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
            onChange={(event) => change(event.target.value)}
          />
        )
      }}
    </Field>
  )
}

interface NumberFieldProps {
  label: string
  value: number
  min?: number
  max: number
  onChange: (value: number) => void
}

export function NumberField({ label, value, min = 1, max, onChange }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          className="input"
          min={min}
          max={max}
          required
          value={Number.isNaN(value) ? '' : value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  )
}

interface SelectFieldProps<Value extends string | number> {
  label: string
  hint?: string
  value: Value
  choices: [value: Value, label: string][]
  onChange: (value: Value) => void
}

export function SelectField<Value extends string | number>({
  label,
  hint,
  value,
  choices,
  onChange,
}: SelectFieldProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={value}
          onChange={({ target }) => onChange(choices[target.selectedIndex]![0])}
        >
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
