import type { Channel, User } from '@parley/client'
import { splitCid } from '@parley/protocol/cid'
import { type ReactNode, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { channelAvatar, channelName, partnerOf } from '../chat/channel-facts.ts'
import { FailedState, PlaceState } from '../chat/PlaceState.tsx'
import { seenName } from '../chat/seen-name.ts'
import { useClient } from '../chat/use-client.ts'
import { isCalled } from '../i18n/folded.ts'
import { useTranslation } from '../i18n/translate.ts'
import { rove } from '../roving.ts'
import { Marked } from '../search/Marked.tsx'
import { type FoundMessage, MessageHit } from '../search/MessageHit.tsx'
import { useSearch } from '../search/use-search.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { SearchIcon } from '../theme/icons.tsx'
import { isInvitation } from './channel-order.ts'

/** Number of rows in the skeleton. */
const SKELETON_ROWS = 5

export interface FoundProps {
  text: string
  /** the loaded conversations of the list, whose members are searched */
  channels: readonly Channel[]
  onSelect: (channel: Channel) => void
  onMessage?: (message: FoundMessage) => void
}

const everywhere = {}

/**
 * The search results in place of the list: people in conversations with the reader, conversations, and messages. Loaded
 * ones are found while typing; the server finds the rest.
 */
export default function Found({ text, channels, onSelect, onMessage }: FoundProps) {
  const { t } = useTranslation()
  const client = useClient()
  const query = text.trim()
  const { state, waiting, now, more } = useSearch(text, everywhere)
  const known = useCalled(channels, query)
  const groups = known.filter(({ user }) => !user)
  const others = state.channels.flatMap(({ channel: { cid, name, image } }): Called[] => {
    const { type, id } = splitCid(cid)
    const shown = seenName(name) ?? cid
    const isThere = !isCalled(shown, query) || groups.some(({ channel }) => channel.cid === cid)
    return isThere ? [] : [{ channel: client.channel(type, id), name: shown, image }]
  })
  const conversations = [...groups, ...others]
  const people = known.filter(({ user }) => user)
  const messages = onMessage ? state.messages : []
  // One tab stop: the result focused last, else the first.
  const [focused, setFocused] = useState<string>()
  const keys = [...[...people, ...conversations].map(keyOf), ...messages.map(({ message }) => message.id)]
  const stop = keys.find((key) => key === focused) ?? keys[0]
  const stops = (key: string) => ({ tabIndex: key === stop ? 0 : -1, onFocus: () => setFocused(key) }) as const
  const busy = state.searching || waiting
  if (keys.length === 0) {
    if (busy) return <Skeleton kind="rows" count={SKELETON_ROWS} label={t('search.searching')} />
    if (state.error) return <FailedState title={t('search.failed')} error={state.error} onRetry={now} />
    return (
      <PlaceState icon={<SearchIcon />} title={t('search.nothing', { query })}>
        <p className="chat-state-text">{t('search.nothing.hint')}</p>
      </PlaceState>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move through all results
    <div className="chat-found" aria-busy={busy} onKeyDown={(event) => rove(event, '.chat-hit', 'vertical')}>
      {[
        { title: t('search.people'), called: people },
        { title: t('search.channels'), called: conversations },
      ].map(
        ({ title, called }) =>
          called.length > 0 && (
            <Part key={title} title={title}>
              {called.map((one) => (
                <li key={keyOf(one)}>
                  <CalledHit called={one} query={query} onSelect={onSelect} {...stops(keyOf(one))} />
                </li>
              ))}
            </Part>
          ),
      )}
      {messages.length > 0 && (
        <Part title={t('search.messages')}>
          {messages.map(({ message }) => (
            <li key={message.id}>
              <MessageHit
                message={message}
                query={query}
                placed
                current={false}
                onSelect={() => onMessage?.(message)}
                {...stops(message.id)}
              />
            </li>
          ))}
        </Part>
      )}
      {onMessage && (state.error || state.hasMore) && (
        <p className="chat-channels-note">
          {state.error && <span>{t('search.failed')}</span>}
          <button type="button" className="chat-button" data-kind="quiet" onClick={state.hasMore ? more : now}>
            {t(state.error ? 'retry' : 'more')}
          </button>
        </p>
      )}
    </div>
  )
}

const keyOf = ({ channel }: Called) => channel.cid

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="chat-search-heading">{title}</h3>
      <ul className="chat-hits">{children}</ul>
    </section>
  )
}

/** A conversation by its title: its own name, or that of its one other member. */
export interface Called {
  channel: Channel
  name: string
  image?: string
  /** the other member of a direct conversation */
  user?: User
}

/** The conversations whose name matches, without a request to the server; an empty text matches all. */
export function useCalled(channels: readonly Channel[], query: string): Called[] {
  const { t, language } = useTranslation()
  const me = useClient().userID
  return channels.flatMap((channel) => {
    const state = channel.snapshot()
    const name = channelName(t, language, state, me)
    const user = partnerOf(state, me)
    const image = channelAvatar(name, state, channel, me).image
    return isCalled(name, query) && !isInvitation(channel) ? [{ channel, name, image, user }] : []
  })
}

interface CalledHitProps {
  called: Called
  query: string
  tabIndex: 0 | -1
  onFocus: () => void
  onSelect: (channel: Channel) => void
}

export function CalledHit({ called, query, onSelect, ...focus }: CalledHitProps) {
  const { channel, name, image, user } = called
  return (
    <button type="button" className="chat-hit" data-kind="named" onClick={() => onSelect(channel)} {...focus}>
      <Avatar id={user?.id ?? channel.cid} name={name} image={image} size="small" />
      <bdi className="chat-hit-name">
        <Marked text={name} query={query} />
      </bdi>
    </button>
  )
}
