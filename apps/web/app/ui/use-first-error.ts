import { type RefObject, useEffect, useRef } from 'react'

/**
 * Gives the first field in need of attention the focus, so that a screen reader reads its error. Where the error is
 * about all of them, the password is what people get wrong.
 */
export function useFirstError(errors: object | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!errors) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    ;(field ?? form.current?.querySelector<HTMLElement>('input[name=password]'))?.focus()
  }, [errors])
  return form
}
