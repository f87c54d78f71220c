import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../session/use-session.ts'
import { remember, remembered } from './browser-memory.ts'

/** Stored for this tab alone, like the input itself. */
const KEPT = 'parley-written'
const FIELDS = 'main :is(input:is([type=text], [type=email], :not([type])), textarea)[name]'

interface Kept {
  personId: string
  path: string
  /** Names and values of fields. */
  written: [string, string][]
}

/**
 * Restores unsaved input in the page's forms when a user returns after their session ended, like their messages
 * [APP-31]. Passwords are not stored.
 */
export function useRestoredInput(): void {
  const { id: personId } = useSession().user
  const { pathname: path } = useLocation()
  useEffect(() => {
    const kept = takenBy(personId, path)
    for (const field of fields()) {
      const text = kept.get(field.name)
      if (text !== undefined) write(field, text)
    }
  }, [personId, path])

  // Runs before the page unmounts; a user who signs out on purpose is not led back here.
  useLayoutEffect(
    () => () => {
      if (!new URLSearchParams(location.search).has('back')) return
      const changed = [...fields()].filter(({ value, defaultValue }) => value !== defaultValue)
      const written = changed.map(({ name, value }): [string, string] => [name, value])
      const kept: Kept = { personId, path, written }
      if (written.length > 0) remember(KEPT, kept, 'tab')
    },
    [personId, path],
  )
}

const fields = () => document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)

/** Another user never gets it; the same user finds it even after visiting another page. */
function takenBy(personId: string, path: string): ReadonlyMap<string, string> {
  const kept = remembered(KEPT, 'tab') as Kept | undefined
  if (kept?.personId === personId && kept.path !== path) return new Map()
  remember(KEPT, undefined, 'tab')
  return new Map(kept?.personId === personId && Array.isArray(kept.written) ? kept.written : [])
}

/** Sets the value as typing would, so that React sees the change. */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
