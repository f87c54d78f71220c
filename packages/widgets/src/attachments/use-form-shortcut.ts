import { type RefObject, useEffect } from 'react'

/** Alt+Shift and a letter, anywhere in the form around the element; on Apple's keyboards Cmd+Option. */
export function useFormShortcut(element: RefObject<HTMLElement | null>, letter: string, press: () => void) {
  useEffect(() => {
    const form = element.current?.closest('form')
    const onKey = (event: KeyboardEvent) => {
      const { altKey, shiftKey, metaKey, key, code } = event
      // With Option the letter is another one.
      const isLetter = key.toLowerCase() === letter || code === `Key${letter.toUpperCase()}`
      if (!altKey || !(shiftKey || metaKey) || !isLetter) return
      event.preventDefault()
      press()
    }
    form?.addEventListener('keydown', onKey)
    return () => form?.removeEventListener('keydown', onKey)
  })
}
