import { Details } from '../notices/Details.tsx'

export interface RefusalProps {
  /** id for `aria-describedby` of the field */
  id?: string
  text: string
  /** the reason, in the server's text */
  details: string
}

/** An error in a dialog that stays open. */
export function Refusal({ id, text, details }: RefusalProps) {
  return (
    <div className="chat-field-fault" id={id}>
      <span>{text}</span>
      <Details text={details} />
    </div>
  )
}
