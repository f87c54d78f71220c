import { type Channel, type LocalMessage, Poll, type PollData } from '@parley/client'
import { Suspense, startTransition, useOptimistic, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { Avatar } from '../avatar/Avatar.tsx'
import { may } from '../chat/channel-facts.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useClient } from '../chat/use-client.ts'
import { percent } from '../i18n/format.ts'
import { type TextKey, useTranslate, useTranslation } from '../i18n/translate.ts'
import { POLL_AVATARS_SHOWN } from '../limits.ts'
import { avatarUser } from '../messages/message-name.ts'
import { useNotices } from '../notices/use-notices.ts'
import { rove } from '../roving.ts'
import { CheckIcon } from '../theme/icons.tsx'
import { WinnerIcon } from '../theme/more-icons.tsx'
import { afterVote, isSingle, ownVotesOf, pushedOut } from './after-vote.ts'

const PollResults = lazyPart(() => import('./PollResults.tsx'))
const PollTextDialog = lazyPart(() => import('./PollTextDialog.tsx'))
const EndPollDialog = lazyPart(() => import('./EndPollDialog.tsx'))

export interface PollViewProps {
  channel: Channel
  message: LocalMessage
  poll: PollData
  /** the reader entered the row with Enter: its buttons are tab stops */
  entered: boolean
}

type Open = 'results' | 'comment' | 'suggest' | 'end'

/**
 * A poll in its message: question, options with their bars, and the reader's actions [POL-29]. A vote shows at once;
 * the order of the options does not depend on the counts.
 *
 * Style hooks: `.chat-poll[data-ended]`, `.chat-poll-option[data-winner]` · `--chat-poll-share` (0…1) of an option.
 */
export default function PollView({ channel, message, poll: known, entered }: PollViewProps) {
  const t = useTranslate()
  const client = useClient()
  const notices = useNotices()
  const announce = useAnnounce()
  const [open, setOpen] = useState<Open>()
  const opener = useRef<HTMLElement | null>(null)
  const [poll, expectVote] = useOptimistic(known, afterVote)
  const actions = new Poll(channel, message.id)
  const mayVote = !poll.is_closed && may(channel.snapshot(), 'cast-poll-vote')
  const tabIndex = entered ? 0 : -1

  const vote = (option: PollData['options'][number]) => {
    if (!mayVote) return
    const mine = ownVotesOf(known).find((own) => own.option_id === option.id)
    const gone = pushedOut(known, option.id)
    const goneText = known.options.find(({ id }) => id === gone?.option_id)?.text
    startTransition(async () => {
      expectVote(option.id)
      try {
        await (mine ? actions.removeVote(mine.id) : actions.castVote(option.id))
        if (mine) announce('voteRemoved', { option: option.text })
        else if (goneText) announce('voteReplaced', { option: goneText })
        else announce('voted', { option: option.text })
      } catch (error) {
        notices.failed('poll.vote.failed', error)
      }
    })
  }
  const begin = (what: Open) => (event: React.MouseEvent<HTMLElement>) => {
    opener.current = event.currentTarget
    setOpen(what)
  }
  // Ending removes its own button, so the focus moves to the one that stays.
  const close = () => {
    setOpen(undefined)
    setTimeout(() => {
      if (opener.current && !opener.current.isConnected)
        document.getElementById(`poll-results-${message.id}`)?.focus({ preventScroll: true })
    })
  }
  const button = (what: Open, text: TextKey) => (
    <button
      type="button"
      id={what === 'results' ? `poll-results-${message.id}` : undefined}
      className="chat-button"
      data-kind="quiet"
      tabIndex={tabIndex}
      onClick={begin(what)}
    >
      {t(text)}
    </button>
  )

  return (
    <div className="chat-poll" data-ended={poll.is_closed || undefined}>
      <p className="chat-poll-name" dir="auto">
        {poll.name}
      </p>
      <p className="chat-poll-hint">
        <span>{hint(t, poll)}</span>
        {poll.voting_visibility === 'anonymous' && <span className="chat-poll-mark">{t('poll.anonymous')}</span>}
      </p>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles. */}
      <div
        className="chat-poll-options"
        role={isSingle(poll) ? 'radiogroup' : 'group'}
        aria-label={poll.name}
        onKeyDown={(event) => rove(event, '[role=radio], [role=checkbox]', 'vertical')}
      >
        {poll.options.map((option) => (
          <Option
            key={option.id}
            poll={poll}
            option={option}
            disabled={!mayVote}
            tabIndex={tabIndex}
            onVote={() => vote(option)}
          />
        ))}
      </div>
      <p className="chat-poll-total">{t('poll.total', { count: poll.vote_count })}</p>
      <div className="chat-poll-buttons">
        {button('results', 'poll.results')}
        {mayVote && poll.allow_answers && button('comment', actions.ownAnswer ? 'poll.comment.edit' : 'poll.comment')}
        {mayVote && poll.allow_user_suggested_options && button('suggest', 'poll.suggest')}
        {!poll.is_closed && poll.created_by_id === client.userID && button('end', 'poll.end')}
      </div>
      {open && (
        <Suspense fallback={null}>
          {open === 'results' && <PollResults poll={poll} actions={actions} onClose={close} />}
          {open === 'end' && <EndPollDialog actions={actions} onClose={close} />}
          {open === 'comment' && (
            <PollTextDialog
              heading={actions.ownAnswer ? 'poll.comment.edit' : 'poll.comment'}
              begin={actions.ownAnswer?.answer_text ?? ''}
              taken={[]}
              onSend={(text) => actions.addAnswer(text)}
              onClose={close}
            />
          )}
          {open === 'suggest' && (
            <PollTextDialog
              heading={'poll.suggest'}
              begin=""
              taken={poll.options.map(({ text }) => text)}
              onSend={(text) => actions.createOption(text)}
              onClose={close}
            />
          )}
        </Suspense>
      )}
    </div>
  )
}

function Option(props: {
  poll: PollData
  option: PollData['options'][number]
  disabled: boolean
  tabIndex: number
  onVote: () => void
}) {
  const { poll, option } = props
  const { t, language } = useTranslation()
  const { count, share, mine, winner } = standing(poll, option.id)
  const values = { option: option.text, count, percent: percent(language, share) }
  const voters = poll.voting_visibility === 'anonymous' ? [] : (poll.latest_votes_by_option[option.id] ?? [])
  return (
    // A button: in inputs the arrow keys would cast votes on their way.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles can be checked.
    <button
      type="button"
      className="chat-poll-option"
      role={isSingle(poll) ? 'radio' : 'checkbox'}
      aria-checked={mine}
      aria-disabled={props.disabled || undefined}
      aria-label={t(mine ? 'poll.optionMine' : 'poll.option', values)}
      data-winner={winner || undefined}
      tabIndex={props.tabIndex}
      style={{ '--chat-poll-share': share } as React.CSSProperties}
      onClick={props.onVote}
    >
      <span className="chat-poll-box">{mine && <CheckIcon />}</span>
      <span className="chat-poll-text" dir="auto">
        <span>{option.text}</span>
        {winner && (
          <span className="chat-poll-winner">
            <WinnerIcon /> <span>{t('poll.winner')}</span>
          </span>
        )}
      </span>
      <span className="chat-poll-faces">
        {voters.slice(0, POLL_AVATARS_SHOWN).map((vote) => (
          <Avatar key={vote.id} {...avatarUser(vote)} size="tiny" />
        ))}
      </span>
      <span className="chat-poll-count">{`${count} · ${values.percent}`}</span>
      <span className="chat-poll-bar" />
    </button>
  )
}

/** The result of one option: its votes, its share of all, and whether it has won an ended poll. */
export function standing(poll: PollData, optionID: string) {
  const count = poll.vote_counts_by_option[optionID] ?? 0
  const most = Math.max(0, ...Object.values(poll.vote_counts_by_option))
  return {
    count,
    share: poll.vote_count > 0 ? count / poll.vote_count : 0,
    mine: ownVotesOf(poll).some((vote) => vote.option_id === optionID),
    winner: poll.is_closed && count > 0 && count === most,
  }
}

function hint(t: ReturnType<typeof useTranslate>, poll: PollData): string {
  if (poll.is_closed) return t('poll.ended')
  if (isSingle(poll)) return t('poll.vote.one')
  const most = poll.max_votes_allowed
  return most === null || most >= poll.options.length ? t('poll.vote.any') : t('poll.vote.many', { count: most })
}
