import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../session/use-session.ts'

/** Of this tab alone, like what is written in it. */
const KEPT = 'parley-written'
const FIELDS = 'main :is(input:is([type=text], [type=email], :not([type])), textarea)[name]'

interface Kept {
  personId: string
  path: string
  /** Names of fields, and what stood there. */
  written: [string, string][]
}

/**
 * What somebody was writing in the forms of this page when their session ended is there again once they are back, as
 * their messages are [APP-31]. A password is not.
 */
export function useWrittenAgain(): void {
  const { id: personId } = useSession().user
  const { pathname: path } = useLocation()
  useEffect(() => {
    const kept = takenBy(personId, path)
    for (const field of fields()) {
      const text = kept.get(field.name)
      if (text !== undefined) write(field, text)
    }
  }, [personId, path])

  // Before the page is taken away; whoever signs out on purpose is led back nowhere.
  useLayoutEffect(
    () => () => {
      if (!new URLSearchParams(location.search).has('back')) return
      const changed = [...fields()].filter(({ value, defaultValue }) => value !== defaultValue)
      const written = changed.map(({ name, value }): [string, string] => [name, value])
      const kept: Kept = { personId, path, written }
      if (written.length > 0) sessionStorage.setItem(KEPT, JSON.stringify(kept))
    },
    [personId, path],
  )
}

const fields = () => document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)

/** Nobody else finds it, and who goes to another page first finds it there. */
function takenBy(personId: string, path: string): ReadonlyMap<string, string> {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
  if (kept?.personId === personId && kept.path !== path) return new Map()
  sessionStorage.removeItem(KEPT)
  return new Map(kept?.personId === personId ? kept.written : [])
}

/** As a person does, so that the form hears of it. */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
