import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses the first invalid field, so that a screen reader announces its error. If the error concerns the whole form,
 * the password gets the focus: it is the likeliest mistake.
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
