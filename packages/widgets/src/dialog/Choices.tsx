import { useId } from 'react'

export interface ChoicesProps<Value extends string> {
  label: string
  /** the title of the dialog says the same: the label is heard alone */
  titled?: boolean
  options: readonly { value: Value; text: string }[]
  chosen: Value
  onChoose: (value: Value) => void
}

/** One of several, in a dialog. Renders a `<fieldset>` of radio buttons. */
export function Choices<Value extends string>({ label, titled, options, chosen, onChoose }: ChoicesProps<Value>) {
  const name = useId()
  return (
    <fieldset className="chat-choices">
      <legend className={titled ? 'chat-hidden' : undefined}>{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value} className="chat-choice">
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
