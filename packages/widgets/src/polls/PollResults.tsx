import type { Poll, PollData } from '@parley/client'
import { Suspense, useEffect, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { may } from '../chat/channel-facts.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useClient } from '../chat/use-client.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { percent } from '../i18n/format.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { POLL_VOTERS_SHOWN, POLL_VOTES_PAGE } from '../limits.ts'
import { avatarUser, nameOf } from '../messages/message-name.ts'
import { useNotices } from '../notices/use-notices.ts'
import { CheckIcon } from '../theme/icons.tsx'
import { standing } from './PollView.tsx'

const PollTextDialog = lazyPart(() => import('./PollTextDialog.tsx'))

type Vote = PollData['own_votes'][number]

/** The voters of each option, most votes first, and the comments. */
export default function PollResults({
  poll,
  actions,
  onClose,
}: {
  poll: PollData
  actions: Poll
  onClose: () => void
}) {
  const t = useTranslate()
  const counts = poll.vote_counts_by_option
  const sorted = poll.options.toSorted((a, b) => (counts[b.id] ?? 0) - (counts[a.id] ?? 0))
  return (
    <ChatDialog title={t('poll.results.title')} onClose={onClose}>
      <p className="chat-poll-name" dir="auto">
        {poll.name}
      </p>
      {sorted.map((option) => (
        <OptionResults key={option.id} poll={poll} option={option} actions={actions} />
      ))}
      {poll.answers_count > 0 && <Answers poll={poll} actions={actions} />}
    </ChatDialog>
  )
}

function OptionResults(props: { poll: PollData; option: PollData['options'][number]; actions: Poll }) {
  const { poll, option, actions } = props
  const { t, language } = useTranslation()
  const [asked, ask] = useState(0)
  const { count, share, mine } = standing(poll, option.id)
  const values = { option: option.text, count, percent: percent(language, share) }
  const votes = poll.voting_visibility === 'anonymous' ? [] : (poll.latest_votes_by_option[option.id] ?? [])
  const all = useAll(votes, count, asked, (next) =>
    actions.queryOptionVotes(option.id, { limit: POLL_VOTES_PAGE, next }),
  )
  const shown = all ?? votes.slice(0, POLL_VOTERS_SHOWN)
  return (
    <section className="chat-poll-result">
      <h3 aria-label={t(mine ? 'poll.optionMine' : 'poll.option', values)} dir="auto">
        {option.text}
      </h3>
      <div className="chat-poll-count" aria-hidden="true">
        {mine && <CheckIcon />} <span>{`${count} · ${values.percent}`}</span>
      </div>
      <ul className="chat-people">
        {shown.map((vote) => (
          <li key={vote.id}>
            <Person vote={vote} />
          </li>
        ))}
      </ul>
      {!all && count > shown.length && votes.length > 0 && mayAsk(actions) && (
        <button type="button" className="chat-button" data-kind="quiet" onClick={() => ask(asked + 1)}>
          {t('poll.results.all')}
        </button>
      )}
    </section>
  )
}

/** The comments; the reader can change or remove their own. */
function Answers({ poll, actions }: { poll: PollData; actions: Poll }) {
  const t = useTranslate()
  const client = useClient()
  const notices = useNotices()
  const newest = poll.latest_answers
  const isMore = poll.answers_count > newest.length && mayAsk(actions)
  const all = useAll(newest, poll.answers_count, Number(isMore), (next) =>
    actions.queryAnswers({ limit: POLL_VOTES_PAGE, next }),
  )
  const [changing, setChanging] = useState<Vote>()
  const remove = async (answer: Vote) => {
    try {
      await actions.removeAnswer(answer.id)
    } catch (error) {
      notices.failed('poll.failed', error)
    }
  }
  return (
    <section className="chat-poll-result">
      <h3>{t('poll.comments', { count: poll.answers_count })}</h3>
      <ul className="chat-people">
        {(all ?? newest).map((answer) => (
          <li key={answer.id} className="chat-poll-answer">
            <Person vote={answer} />
            <p dir="auto">{answer.answer_text}</p>
            {answer.user_id === client.userID && !poll.is_closed && (
              <>
                <button type="button" className="chat-button" data-kind="quiet" onClick={() => setChanging(answer)}>
                  {t('poll.comment.edit')}
                </button>
                <button type="button" className="chat-button" data-kind="quiet" onClick={() => void remove(answer)}>
                  {t('poll.comment.remove')}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {changing && (
        <Suspense fallback={null}>
          <PollTextDialog
            heading="poll.comment.edit"
            begin={changing.answer_text ?? ''}
            taken={[]}
            onSend={(text) => actions.addAnswer(text)}
            onClose={() => setChanging(undefined)}
          />
        </Suspense>
      )}
    </section>
  )
}

/** The poll contains the newest votes and comments; loading the others needs a capability [PERM-5]. */
const mayAsk = ({ channel }: Poll) => may(channel.snapshot(), 'query-poll-votes')

/** The voter of a vote; nothing in an anonymous poll [POL-30]. */
function Person({ vote }: { vote: Vote }) {
  const t = useTranslate()
  if (!vote.user_id) return null
  return (
    <div className="chat-person">
      <Avatar {...avatarUser(vote)} size="small" />
      <bdi className="chat-person-name">{nameOf(t, vote)}</bdi>
    </div>
  )
}

/**
 * All votes or comments of a poll, loaded on request; events that arrive later are merged.
 *
 * @param asked  the number of requests: after a failure, one more tries again
 */
function useAll(newest: readonly Vote[], count: number, asked: number, ask: AskPage): readonly Vote[] | undefined {
  const notices = useNotices()
  const [all, setAll] = useState<Vote[]>()
  const seen = [count, ...newest.map(({ id, updated_at }) => id + updated_at)].join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the poll loads again.
  useEffect(() => {
    let gone = false
    if (asked)
      pages(ask).then(
        (all) => gone || setAll(all),
        (error) => gone || notices.failed('poll.results.failed', error),
      )
    return () => {
      gone = true
    }
  }, [asked, seen])
  return asked ? all : undefined
}

type AskPage = (next: string | undefined) => Promise<{ votes: Vote[]; next?: string }>

async function pages(ask: AskPage): Promise<Vote[]> {
  const votes: Vote[] = []
  let next: string | undefined
  do {
    const page = await ask(next)
    votes.push(...page.votes)
    next = page.next
  } while (next)
  return votes
}
