import { useEffect, useState } from 'react'
import { usePeople } from '../channel-details/use-people.ts'
import type { Person } from '../chat/people.ts'
import { personName } from '../chat/seen-name.ts'
import { useClient } from '../chat/use-client.ts'
import { isCalled } from '../i18n/folded.ts'
import { CHANNELS_PAGE, SENDERS_SHOWN } from '../limits.ts'

/**
 * The senders offered in a search everywhere: users in conversations with the reader first, then results of the user
 * search. And the selected one, also from an address.
 */
export function useSenders(sought: string, from: string | undefined) {
  const wanted = sought.trim()
  const known = useCompany(wanted !== '' || from !== undefined)
  const found = usePeople(sought)
  const talkedWith = known.filter((person) => isCalled(personName(person), wanted))
  const others = found.at === 'loaded' ? found.items.filter(({ id }) => known.every((one) => one.id !== id)) : []
  const senders = wanted === '' ? [] : [...talkedWith, ...others].slice(0, SENDERS_SHOWN)
  const chosen = from === undefined ? undefined : [...known, ...found.items].find(({ id }) => id === from)
  return { senders, chosen: chosen ?? (from === undefined ? undefined : { id: from }) }
}

/** The members of the most recent conversations, the reader among them; loaded once they are needed. */
function useCompany(needed: boolean): readonly Person[] {
  const client = useClient()
  const [company, setCompany] = useState<readonly Person[]>([])
  useEffect(() => {
    if (!needed) return
    let current = true
    const options = { limit: CHANNELS_PAGE, message_limit: 0, watch: false, presence: false }
    client.queryChannels({ members: { $in: [client.userID ?? ''] } }, { last_message_at: -1 }, options).then(
      (channels) => {
        const members = channels.flatMap((channel) => Object.values(channel.snapshot().members))
        const people = new Map<string, Person>(members.flatMap(({ user }) => (user ? [[user.id, user as Person]] : [])))
        if (current) setCompany([...people.values()])
      },
      // On failure, the results of the user search are still offered.
      () => {},
    )
    return () => {
      current = false
    }
  }, [client, needed])
  return company
}
