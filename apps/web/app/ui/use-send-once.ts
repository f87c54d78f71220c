import { type SyntheticEvent, useTransition } from 'react'

/**
 * The `onSubmit` of a form that is not sent again while it is on its way. React draws in its own time that it is, and a
 * second press came before that; that it was pressed is drawn at once, and ends when the other is drawn.
 *
 * @param busy whether the form is on its way, as it is drawn
 */
export function useSendOnce(busy: boolean): (event: SyntheticEvent) => void {
  const [isPressed, press] = useTransition()
  return (event) => {
    if (busy || isPressed) event.preventDefault()
    else press(() => {})
  }
}
