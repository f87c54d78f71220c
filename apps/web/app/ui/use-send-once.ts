import { type SyntheticEvent, useTransition } from 'react'

/**
 * An `onSubmit` that blocks a second submission. React renders `busy` with a delay, in which a second press could come;
 * a transition covers that delay.
 *
 * @param busy whether the form is being submitted, as rendered
 */
export function useSendOnce(busy: boolean): (event: SyntheticEvent) => void {
  const [isPressed, press] = useTransition()
  return (event) => {
    if (busy || isPressed) event.preventDefault()
    else press(() => {})
  }
}
