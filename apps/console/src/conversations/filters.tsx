interface FiltersProps<Value extends string> {
  label: string
  value: Value
  choices: [value: Value, text: string, count?: number][]
  onChange: (value: Value) => void
}

/** Radio buttons that are all visible, unlike a select field. */
export function Filters<Value extends string>(props: FiltersProps<Value>) {
  const { label, value, choices, onChange } = props
  return (
    <fieldset className="filters">
      <legend className="visually-hidden">{label}</legend>
      {choices.map(([choice, text, count]) => (
        <button
          key={choice}
          type="button"
          className="filter"
          aria-pressed={value === choice}
          onClick={() => onChange(choice)}
        >
          {text} {count !== undefined && <span className="count">{count}</span>}
        </button>
      ))}
    </fieldset>
  )
}
