import { type ReactNode, useId } from 'react'

interface FieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Gets the ids that link the control to its label and hint. */
  children: (ids: { id: string; 'aria-describedby': string | undefined }) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const described = hint || error ? `${id}-hint` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described })}
      {described && (
        <p id={described} className={error ? 'field-hint error' : 'field-hint'}>
          {error || hint}
        </p>
      )}
    </div>
  )
}

interface SwitchProps {
  label: string
  hint?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="switch-row">
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="field-hint">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

interface ChecksProps<Value extends string> {
  legend: string
  choices: readonly (readonly [value: Value, text: string])[]
  chosen: Value[]
  onChange: (chosen: Value[]) => void
}

/** Checkboxes. The chosen values keep the order of the choices. */
export function Checks<Value extends string>(props: ChecksProps<Value>) {
  const { legend, choices, chosen, onChange } = props
  const toggle = (value: Value) =>
    onChange(
      choices
        .map(([one]) => one)
        .filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))),
    )
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="checks">
        {choices.map(([value, text]) => (
          <label key={value} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface ChoiceProps<Value extends string> {
  legend: string
  value: Value
  choices: { value: Value; label: string; hint?: string }[]
  onChange: (value: Value) => void
}

/** Radio buttons that are all visible. */
export function Choice<Value extends string>({
  legend,
  value,
  choices,
  onChange,
}: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="choice-options">
        {choices.map((choice) => (
          <label key={choice.value} className="choice-option">
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>
              <span className="choice-label">{choice.label}</span>
              {choice.hint && <span className="field-hint">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
