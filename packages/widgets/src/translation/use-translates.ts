import type { ChatClient, LocalMessage } from '@parley/client'
import { useEffect, useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'
import { useTranslation } from '../i18n/translate.ts'
import { translationOf } from './translate.ts'

/** Whether the chat server has a translation service; undefined until the answer is there. */
const known = new WeakMap<ChatClient, boolean>()
const listeners = new Set<() => void>()

/** Whether a message can be shown in the reader's language [MSG-37]. */
export function useTranslates(message: LocalMessage): boolean {
  const client = useClient()
  const { language } = useTranslation()
  const snapshot = () => known.get(client) ?? false
  const has = useSyncExternalStore(subscribe, snapshot, snapshot)
  useEffect(() => {
    // After a failure the action is missing in the menu; the next menu asks again.
    if (!known.has(client)) ask(client).catch(() => {})
  }, [client])
  return has || translationOf(message, language) !== undefined
}

async function ask(client: ChatClient) {
  const { translation_enabled } = (await client.getAppSettings()) as { translation_enabled?: boolean }
  known.set(client, translation_enabled === true)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
