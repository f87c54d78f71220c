import { useEffect, useState, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useUserId } from '../chat/use-user-id.ts'
import { type ChannelListing, type ChannelListQuery, ChannelListStore } from './channel-listing.ts'

/**
 * The channels of one query, in the order of the list. The query is compared by value, so it may be written inline; a
 * different one, or another user, loads another list.
 */
export function useChannelList(query: ChannelListQuery): { listing: ChannelListing; store: ChannelListStore } {
  const { client } = useChat()
  const user = useUserId()
  const key = JSON.stringify([user, query])
  const [made, setMade] = useState(() => ({ client, key, store: new ChannelListStore(client, query) }))
  let { store } = made
  if (made.client !== client || made.key !== key) {
    store = new ChannelListStore(client, query)
    setMade({ client, key, store })
  }
  useEffect(() => (user === undefined ? undefined : store.follow()), [store, user])
  const listing = useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
  return { listing, store }
}
