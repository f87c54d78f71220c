import type { Channel } from '@parley/client'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { channelName } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { FailedState, PlaceState } from '../chat/PlaceState.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useLatest } from '../chat/use-latest.ts'
import { useTranslation } from '../i18n/translate.ts'
import { SEARCH_REST_MS } from '../limits.ts'
import { rove } from '../roving.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { SidePane } from '../side-pane/SidePane.tsx'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { SearchIcon } from '../theme/icons.tsx'
import { type FoundMessage, MessageHit } from './MessageHit.tsx'
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts'
import { maySearch } from './SearchButton.tsx'
import { SearchField } from './SearchField.tsx'
import { Chip, SearchFilters } from './SearchFilters.tsx'
import { filterOf, keyOf, type SearchPlace } from './search-place.ts'
import { isSearchable } from './searchable.ts'
import { useSearch } from './use-search.ts'

/** Number of rows in the skeleton. */
const SKELETON_ROWS = 4

export interface SearchPaneProps {
  channel: Channel
  place: SearchPlace
  onPlace: (place: SearchPlace) => void
  /** the message that was opened last */
  current?: string
  /** allows a search in other channels, too */
  canLeave: boolean
  onSelect: (message: FoundMessage) => void
  onClose: () => void
}

/**
 * Searches messages in the conversation beside it, or everywhere. A result opens its message and the results stay; F3
 * and Shift+F3 move through them [interface.md 7.21].
 *
 * Renders an `<aside>` named by its heading. Style hooks: `.chat-search`, `.chat-hit[data-active]`, `.chat-hit mark`.
 */
export default function SearchPane({ channel, canLeave, onClose, ...props }: SearchPaneProps) {
  const { t, language } = useTranslation()
  const me = useClient().userID
  const state = useChannelState(channel)
  const name = channelName(t, language, state, me)
  const here = maySearch(state)
  const field = useRef<HTMLInputElement>(null)
  const { place, setText, change } = usePlace(props.place, props.onPlace)
  const everywhere = canLeave && (place.everywhere || !here)
  const { text, from, since, until, files, mentions } = place
  const within = useMemo(
    () => ({
      cid: everywhere ? undefined : channel.cid,
      messages: filterOf({ from, since, until, files, mentions }, me),
    }),
    [everywhere, channel, me, from, since, until, files, mentions],
  )
  const search = useSearch(text, within)
  // The pane focuses its heading, but the user wants to type: the field takes the focus.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])

  const pane = useRef<HTMLDivElement>(null)
  // The opened message has the focus by then, beside the pane.
  useEffect(() => {
    const end = new AbortController()
    pane.current?.closest<HTMLElement>('.chat-split')?.addEventListener('keydown', (event) => goOn(event, pane), end)
    return () => end.abort()
  }, [])
  const onFieldKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter') search.now()
    else if (event.key === 'ArrowDown') pane.current?.querySelector<HTMLElement>('.chat-hit')?.focus()
    else return
    event.preventDefault()
  }
  return (
    <SidePane
      title={t('search.title')}
      about={everywhere ? <span>{t('search.everywhere')}</span> : <bdi>{name}</bdi>}
      onClose={onClose}
    >
      <div className="chat-search" ref={pane}>
        <div className="chat-search-head">
          <SearchField
            fieldRef={field}
            label={t('search.field')}
            text={text}
            onChange={setText}
            onKeyDown={onFieldKey}
          />
          {canLeave && here && (
            <fieldset className="chat-search-where" aria-label={t('search.where')}>
              {[false, true].map((all) => (
                <Chip
                  key={String(all)}
                  text={t(all ? 'search.everywhere' : 'search.here')}
                  on={everywhere === all}
                  onTurn={() => change({ everywhere: all })}
                />
              ))}
            </fieldset>
          )}
          <SearchFilters channel={channel} place={place} everywhere={everywhere} onChange={change} />
        </div>
        <Results search={search} query={text.trim()} placed={everywhere} onAgain={setText} {...props} />
      </div>
    </SidePane>
  )
}

/** F3 opens the next result, Shift+F3 the previous one; the first follows the last. */
function goOn(event: globalThis.KeyboardEvent, pane: RefObject<HTMLElement | null>) {
  if (event.key !== 'F3') return
  event.preventDefault()
  const hits = [...(pane.current?.querySelectorAll<HTMLElement>('.chat-hit') ?? [])]
  const at = hits.findIndex((hit) => hit.hasAttribute('data-active'))
  const next = event.shiftKey ? hits.at(Math.max(at, 0) - 1) : hits[(at + 1) % hits.length]
  next?.focus()
  next?.click()
}

interface ResultsProps extends Pick<SearchPaneProps, 'current' | 'onSelect'> {
  search: ReturnType<typeof useSearch>
  query: string
  placed: boolean
  onAgain: (text: string) => void
}

function Results({ search, query, placed, current, onSelect, onAgain }: ResultsProps) {
  const { t } = useTranslation()
  const me = useClient().userID
  const [focused, setFocused] = useState<string>()
  const { state, waiting } = search
  const hits = state.messages.map(({ message }) => message)
  if (!isSearchable(query)) return <Recent onAgain={onAgain} />
  if (state.error && hits.length === 0)
    return <FailedState title={t('search.failed')} error={state.error} onRetry={search.now} />
  const busy = state.searching || waiting
  if (hits.length === 0 && busy) return <Skeleton kind="rows" count={SKELETON_ROWS} label={t('search.searching')} />
  if (hits.length === 0)
    return (
      <PlaceState icon={<SearchIcon />} title={t('search.nothing', { query })}>
        <p className="chat-state-text">{t('search.nothing.hint')}</p>
      </PlaceState>
    )
  const stop = hits.some(({ id }) => id === focused) ? focused : hits[0]?.id
  return (
    <div className="chat-aside-scroll" data-stale={busy || undefined}>
      <ul className="chat-hits" aria-busy={busy} onKeyDown={(event) => rove(event, '.chat-hit', 'vertical')}>
        {hits.map((message) => (
          <li key={message.id}>
            <MessageHit
              message={message}
              query={query}
              placed={placed}
              current={message.id === current}
              tabIndex={message.id === stop ? 0 : -1}
              onFocus={() => setFocused(message.id)}
              onSelect={() => {
                rememberSearch(me, query)
                onSelect(message)
              }}
            />
          </li>
        ))}
      </ul>
      {state.hasMore && (
        <p className="chat-channels-note">
          {state.error && <span>{t('search.failed')}</span>}
          <button type="button" className="chat-button" data-kind="quiet" onClick={search.more}>
            {t(state.error ? 'retry' : 'more')}
          </button>
        </p>
      )}
    </div>
  )
}

/** A hint shown while there is no query. */
function Recent({ onAgain }: { onAgain: (text: string) => void }) {
  const { t } = useTranslation()
  const me = useClient().userID
  const [texts, setTexts] = useState(() => recentSearches(me))
  if (texts.length === 0) return <p className="chat-search-hint">{t('search.hint')}</p>
  return (
    <div className="chat-search-recent">
      <h3 className="chat-search-heading">{t('search.recent')}</h3>
      <ul className="chat-hits">
        {texts.map((text) => (
          <li key={text}>
            <button type="button" className="chat-hit" onClick={() => onAgain(text)}>
              <SearchIcon />
              <bdi className="chat-hit-name">{text}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="chat-button"
        data-kind="quiet"
        onClick={(event) => {
          event.currentTarget.closest('.chat-search')?.querySelector('input')?.focus()
          forgetSearches(me)
          setTexts([])
        }}
      >
        {t('search.recent.clear')}
      </button>
    </div>
  )
}

/**
 * The query and filters of the pane. The page is notified of text once the user pauses, and of everything else at once;
 * it may return the same value a moment later, and another value after a navigation.
 */
function usePlace(given: SearchPlace, onPlace: (place: SearchPlace) => void) {
  const { clock } = useChat()
  const [place, setPlace] = useState(given)
  const [seen, setSeen] = useState(() => keyOf(given))
  /** a value the page was given and has not returned */
  const [told, setTold] = useState<string[]>([])
  if (keyOf(given) !== seen) {
    const at = told.indexOf(keyOf(given))
    setSeen(keyOf(given))
    setTold(at < 0 ? [] : told.slice(at + 1))
    if (at < 0) setPlace(given)
  }
  const tell = (next: SearchPlace) => {
    setPlace(next)
    setTold([...told, keyOf(next)])
    onPlace(next)
  }
  const telling = useLatest(tell)
  const isNews = keyOf(place) !== (told.at(-1) ?? seen)
  useEffect(
    () => (isNews ? clock.after(SEARCH_REST_MS, () => telling.current(place)) : undefined),
    [clock, isNews, place, telling],
  )
  return {
    place,
    setText: (text: string) => setPlace({ ...place, text }),
    change: (part: Partial<SearchPlace>) => tell({ ...place, ...part }),
  }
}
