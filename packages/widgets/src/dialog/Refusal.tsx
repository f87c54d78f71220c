import { Details } from '../notices/Details.tsx'

export interface RefusalProps {
  /** for what it is about, to be described by it */
  id?: string
  text: string
  /** why, in the words of the server */
  details: string
}

/** What went wrong in a dialog that stays open. */
export function Refusal({ id, text, details }: RefusalProps) {
  return (
    <div className="chat-field-fault" id={id}>
      {text}
      <Details text={details} />
    </div>
  )
}
