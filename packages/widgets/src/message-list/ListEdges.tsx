import type { Channel, ChannelState, User } from '@parley/client'
import { Avatar } from '../avatar/Avatar.tsx'
import { channelAvatar, channelName, othersOf, partnerOf } from '../chat/channel-facts.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { forbiddenBecause } from '../composer/composer-limits.ts'
import { fullTime } from '../i18n/row-time.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { START_AVATARS } from '../limits.ts'
import { avatarUser } from '../messages/message-name.ts'
import type { Direction } from './scroll-state.ts'

export interface ListEdgeProps {
  direction: Direction
  loading: boolean
  failed: boolean
  /** messages sent while the client was offline are still missing here [interface.md 7.23] */
  gap?: boolean
  /** tries again, or loads the missing messages */
  onPress: () => void
}

/**
 * The space beyond the loaded messages. Its height is the same while loading and while waiting, so that nothing moves.
 */
export function ListEdge({ direction, loading, failed, gap = false, onPress }: ListEdgeProps) {
  const { t } = useTranslation()
  const older = direction === 'older'
  return (
    <div className="chat-list-edge">
      {(gap ? !loading : failed) && (
        <>
          <span>{t(gap ? 'messages.gap' : older ? 'messages.olderFailed' : 'messages.newerFailed')}</span>
          <button type="button" className="chat-button" data-kind="quiet" onClick={onPress}>
            {t(gap ? 'messages.gap.load' : 'retry')}
          </button>
        </>
      )}
      {loading && !failed && (
        <>
          <span className="chat-spinner" />
          <span className="chat-hidden">{t(older ? 'messages.loadingOlder' : 'messages.loadingNewer')}</span>
        </>
      )}
    </div>
  )
}

export interface ListStartProps {
  channel: Channel
  /** the channel has no messages yet */
  empty: boolean
  /** called when a greeting was put into the text box */
  onBegun: (() => void) | undefined
}

/** Shown before the first message: the members of the conversation, or the date since which there is history. */
export function ListStart({ channel, empty, onBegun }: ListStartProps) {
  const { t, language, locale } = useTranslation()
  const me = useClient().userID
  const state = useChannelState(channel)
  const name = channelName(t, language, state, me)
  const partner = partnerOf(state, me)
  const face = channelAvatar(name, state, channel, me)
  const faces = <StartAvatars people={othersOf(state, me)} />
  const greets = empty && partner && !forbiddenBecause(state, me)
  const cleared = clearedAt(state)
  const hello = t('messages.hello.suggestion', { name: firstName(name) })
  return (
    <div className="chat-list-start" data-empty={empty || undefined}>
      {face.behind ? faces : <Avatar {...face} presence={undefined} size="large" />}
      <p className="chat-state-title">
        {greets
          ? t('messages.hello', { name })
          : partner
            ? t('messages.start.direct', { name })
            : t('messages.start', { group: name })}
      </p>
      {!partner && !face.behind && faces}
      {cleared ? (
        <p className="chat-state-text">{t('messages.cleared', { date: fullTime(locale, cleared) })}</p>
      ) : (
        (greets || !partner) && (
          <p className="chat-state-text">{t(partner ? 'messages.hello.hint' : 'messages.start.hint')}</p>
        )
      )}
      {greets && (
        <button
          type="button"
          className="chat-button"
          onClick={() => {
            // A draft is kept.
            if (channel.composer.isEmpty) channel.composer.setText(hello)
            onBegun?.()
          }}
        >
          {hello}
        </button>
      )}
    </div>
  )
}

/** Avatars of the first few other members; the channel details list them all. */
function StartAvatars({ people }: { people: readonly User[] }) {
  const t = useTranslate()
  const more = people.length - START_AVATARS
  return (
    <span className="chat-receipt-faces" aria-hidden="true">
      {people.slice(0, START_AVATARS).map((user) => (
        <Avatar key={user.id} {...avatarUser({ user })} size="small" />
      ))}
      {more > 0 && <span>{t('status.more', { count: more })}</span>}
    </span>
  )
}

/** When the history was last cleared, for all members or for the reader alone. */
function clearedAt({ data, membership }: ChannelState): Date | undefined {
  const { truncated_at, hide_messages_before: hidden } = data
  // A member added without the history did not clear it.
  const own = hidden && membership && hidden > membership.created_at ? hidden : ''
  const last = [truncated_at ?? '', own].sort().at(-1)
  return last ? new Date(last) : undefined
}

const firstName = (name: string) => name.split(/\s+/)[0] ?? name
