import { useId } from 'react'

export interface ChoicesProps<Value extends string> {
  label: string
  /** same text as the dialog's title: the label is for screen readers only */
  titled?: boolean
  options: readonly { value: Value; text: string }[]
  chosen: Value
  onChoose: (value: Value) => void
}

/** A single choice in a dialog. Renders a `<fieldset>` of radio buttons. */
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
