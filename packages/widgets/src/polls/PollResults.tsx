import type { Poll, PollData } from '@parley/client'
import { useEffect, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { may } from '../chat/channel-facts.ts'
import { useClient } from '../chat/use-client.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { percent } from '../i18n/format.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { POLL_VOTERS_SHOWN } from '../limits.ts'
import { faceOf, nameOf } from '../messages/message-name.ts'
import { detailsOf, useNotices } from '../notices/use-notices.ts'
import { standing } from './PollView.tsx'

/** Votes of one query. */
const PAGE = 100

type Vote = PollData['own_votes'][number]

/** Who voted for what, most votes first, and what people said. */
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
  const notices = useNotices()
  const [all, setAll] = useState<Vote[]>()
  const { count, share, mine } = standing(poll, option.id)
  const votes = poll.voting_visibility === 'anonymous' ? [] : (all ?? poll.latest_votes_by_option[option.id] ?? [])
  const shown = all ?? votes.slice(0, POLL_VOTERS_SHOWN)
  const showAll = async () => {
    try {
      setAll(await pages((next) => actions.queryOptionVotes(option.id, { limit: PAGE, next })))
    } catch (error) {
      notices.show('error', 'poll.results.failed', { details: detailsOf(error) })
    }
  }
  return (
    <section className="chat-poll-result">
      <h3>
        <bdi>
          {t(mine ? 'poll.optionMine' : 'poll.option', {
            option: option.text,
            count,
            percent: percent(language, share),
          })}
        </bdi>
      </h3>
      <ul className="chat-people">
        {shown.map((vote) => (
          <li key={vote.id}>
            <Person vote={vote} />
          </li>
        ))}
      </ul>
      {!all && count > shown.length && votes.length > 0 && mayAsk(actions) && (
        <button type="button" className="chat-button" data-kind="quiet" onClick={() => void showAll()}>
          {t('poll.results.all')}
        </button>
      )}
    </section>
  )
}

/** What people said in their own words; one's own can be taken back. */
function Answers({ poll, actions }: { poll: PollData; actions: Poll }) {
  const t = useTranslate()
  const client = useClient()
  const notices = useNotices()
  const [answers, setAnswers] = useState(poll.latest_answers)
  const { messageID, channel } = actions
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer is what asks again.
  useEffect(() => {
    let gone = false
    setAnswers(poll.latest_answers)
    if (poll.answers_count > poll.latest_answers.length && mayAsk(actions))
      pages((next) => actions.queryAnswers({ limit: PAGE, next })).then(
        (all) => gone || setAnswers(all),
        (error) => notices.show('error', 'poll.results.failed', { details: detailsOf(error) }),
      )
    return () => {
      gone = true
    }
  }, [channel, messageID, poll.latest_answers])
  const remove = async (answer: Vote) => {
    try {
      await actions.removeAnswer(answer.id)
    } catch (error) {
      notices.show('error', 'poll.failed', { details: detailsOf(error) })
    }
  }
  return (
    <section className="chat-poll-result">
      <h3>{t('poll.comments', { count: poll.answers_count })}</h3>
      <ul className="chat-people">
        {answers.map((answer) => (
          <li key={answer.id} className="chat-poll-answer">
            <Person vote={answer} />
            <p dir="auto">{answer.answer_text}</p>
            {answer.user_id === client.userID && !poll.is_closed && (
              <button type="button" className="chat-button" data-kind="quiet" onClick={() => void remove(answer)}>
                {t('poll.comment.remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The newest votes and comments are in the poll; the others are for those who may ask for them [PERM-5]. */
const mayAsk = ({ channel }: Poll) => may(channel.snapshot(), 'query-poll-votes')

/** Who a vote is from; nothing where nobody is told [POL-30]. */
function Person({ vote }: { vote: Vote }) {
  const t = useTranslate()
  if (!vote.user_id) return null
  return (
    <div className="chat-person">
      <Avatar {...faceOf(vote)} size="small" />
      <bdi className="chat-person-name">{nameOf(t, vote)}</bdi>
    </div>
  )
}

async function pages(ask: (next: string | undefined) => Promise<{ votes: Vote[]; next?: string }>): Promise<Vote[]> {
  const votes: Vote[] = []
  let next: string | undefined
  do {
    const page = await ask(next)
    votes.push(...page.votes)
    next = page.next
  } while (next)
  return votes
}
