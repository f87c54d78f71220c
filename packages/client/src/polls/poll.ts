import type { Channel } from '../channels/channel.ts'
import { messageIn } from '../channels/channel-state.ts'
import { clientError } from '../chat-error.ts'
import { aspect, type Live } from '../live.ts'
import { byTime } from '../messages/local-message.ts'
import type {
  Answer,
  CallOptions,
  Page,
  PageOptions,
  PartialUpdate,
  PollData,
  PollOption,
  PollRequest,
  PollVote,
  Sort,
} from '../shapes.ts'
import type { PollOptionFields } from './poll-calls.ts'
import { isAnswer } from './poll-state.ts'

/**
 * A poll as a message of a loaded channel shows it, and what one can do with it. Its `own_votes` are right, whatever
 * events say [client.md 5.3].
 *
 * ```ts
 * const poll = new Poll(channel, message.id)
 * const [first] = poll.snapshot()?.options ?? []
 * if (first) await poll.castVote(first.id)
 * ```
 */
export class Poll implements Live<PollData | undefined> {
  /** Where the message is. */
  readonly channel: Channel
  /** The message that shows it. */
  readonly messageID: string
  #live: Live<PollData | undefined>
  constructor(channel: Channel, messageID: string) {
    this.channel = channel
    this.messageID = messageID
    this.#live = aspect(channel, (state) => messageIn(state, messageID)?.poll as PollData | undefined)
  }

  /** undefined when the message shows no poll any more. */
  snapshot = (): PollData | undefined => this.#live.snapshot()
  /** Calls the listener after every change of this poll, until the function it gives back is called. */
  subscribe = (listener: () => void): (() => void) => this.#live.subscribe(listener)

  /** Own votes for options, oldest first; answers are not among them. */
  get ownVotes(): PollVote[] {
    return (this.snapshot()?.own_votes ?? [])
      .filter((vote) => !isAnswer(vote))
      .toSorted((a, b) => byTime(a.created_at, b.created_at))
  }

  /** The user's own answer. */
  get ownAnswer(): PollVote | undefined {
    return this.snapshot()?.own_votes.find(isAnswer)
  }

  /** One's vote for an option; undefined where there is none. */
  ownVoteFor(optionID: string): PollVote | undefined {
    return this.ownVotes.find((vote) => vote.option_id === optionID)
  }

  /** The options with the most votes; none while there are no votes. */
  get leadingOptions(): PollOption[] {
    const { options, vote_counts_by_option: counts } = this.#known()
    const most = Math.max(0, ...Object.values(counts))
    return most === 0 ? [] : options.filter(({ id }) => counts[id] === most)
  }

  /**
   * Votes for an option. Where one has as many votes as the poll allows, the oldest goes first [POL-7].
   *
   * @param messageID  another message that shows the same poll
   * @throws ChatError CLIENT_POLL_CLOSED — it has ended [POL-5]
   */
  async castVote(
    optionID: string,
    messageID = this.messageID,
    call: CallOptions = {},
  ): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
    const { id, max_votes_allowed, enforce_unique_vote } = this.#open()
    const mine = this.ownVotes
    const [oldest] = mine
    const isFull = max_votes_allowed !== null && mine.length >= max_votes_allowed
    // Where only one vote counts, the server itself puts the new one in the place of the old one.
    if (oldest && isFull && !enforce_unique_vote && !this.ownVoteFor(optionID))
      await this.removeVote(oldest.id, messageID, call)
    return this.channel.vote(messageID, id, { option_id: optionID }, {}, call)
  }

  /** Takes a vote back. */
  async removeVote(
    voteID: string,
    messageID = this.messageID,
    call: CallOptions = {},
  ): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
    return this.channel.removeVote(messageID, this.#known().id, voteID, undefined, call)
  }

  /**
   * Answers in free text; a second answer replaces the first.
   * @throws ChatError CLIENT_POLL_CLOSED
   */
  async addAnswer(
    text: string,
    messageID = this.messageID,
    call: CallOptions = {},
  ): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
    return this.channel.vote(messageID, this.#open().id, { answer_text: text }, {}, call)
  }

  /** Takes an answer back. */
  async removeAnswer(
    answerID: string,
    messageID = this.messageID,
    call: CallOptions = {},
  ): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
    return this.removeVote(answerID, messageID, call)
  }

  /** Replaces it; what is not given is gone. */
  async update(data: PollRequest, call: CallOptions = {}): Promise<Answer<{ poll: PollData }>> {
    return this.#client().updatePoll({ ...data, id: this.#known().id }, call)
  }

  /** Sets and takes away single fields. */
  async partialUpdate(update: PartialUpdate, call: CallOptions = {}): Promise<Answer<{ poll: PollData }>> {
    return this.#client().partialUpdatePoll(this.#known().id, update, call)
  }

  /** Ends it for everyone. */
  async close(call: CallOptions = {}): Promise<Answer<{ poll: PollData }>> {
    return this.#client().closePoll(this.#known().id, {}, call)
  }

  /** Deletes it; the messages show without it. */
  async delete(call: CallOptions = {}): Promise<Answer> {
    return this.#client().deletePoll(this.#known().id, undefined, call)
  }

  /** @throws ChatError InputError (4) — there is an option with the same text */
  async createOption(text: string, call: CallOptions = {}): Promise<Answer<{ poll_option: PollOption }>> {
    return this.#client().createPollOption(this.#known().id, { text }, call)
  }

  /** Gives an option another text. */
  async updateOption(
    option: PollOptionFields & { id: string },
    call: CallOptions = {},
  ): Promise<Answer<{ poll_option: PollOption }>> {
    return this.#client().updatePollOption(this.#known().id, option, call)
  }

  /** Deletes an option with its votes. */
  async deleteOption(optionID: string, call: CallOptions = {}): Promise<Answer> {
    return this.#client().deletePollOption(this.#known().id, optionID, undefined, call)
  }

  /** A page of the answers, newest first unless sorted otherwise. */
  async queryAnswers(
    options: PageOptions = {},
    sort: Sort = [],
    call: CallOptions = {},
  ): Promise<Page<{ votes: PollVote[] }>> {
    return this.#client().queryPollAnswers(this.#known().id, {}, sort, options, call)
  }

  /** A page of the votes for one option, newest first unless sorted otherwise. */
  async queryOptionVotes(
    optionID: string,
    options: PageOptions = {},
    sort: Sort = [],
    call: CallOptions = {},
  ): Promise<Page<{ votes: PollVote[] }>> {
    return this.#client().queryPollVotes(this.#known().id, { option_id: optionID }, sort, options, call)
  }

  #client() {
    return this.channel.getClient()
  }

  #known(): PollData {
    const poll = this.snapshot()
    if (!poll) throw clientError('CLIENT_POLL_MISSING', `The message ${this.messageID} shows no poll`)
    return poll
  }

  #open(): PollData {
    const poll = this.#known()
    if (poll.is_closed) throw clientError('CLIENT_POLL_CLOSED', 'This poll has ended')
    return poll
  }
}
