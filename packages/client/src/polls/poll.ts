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
 * A poll as a message of a loaded channel shows it, and its calls. Its `own_votes` are always the user's, whatever
 * events contain [client.md 5.3].
 *
 * ```ts
 * const poll = new Poll(channel, message.id)
 * const [first] = poll.snapshot()?.options ?? []
 * if (first) await poll.castVote(first.id)
 * ```
 */
export class Poll implements Live<PollData | undefined> {
  /** The channel of the message. */
  readonly channel: Channel
  /** The message that shows the poll. */
  readonly messageID: string
  #live: Live<PollData | undefined>
  constructor(channel: Channel, messageID: string) {
    this.channel = channel
    this.messageID = messageID
    this.#live = aspect(channel, (state) => messageIn(state, messageID)?.poll as PollData | undefined)
  }

  /** undefined when the message no longer shows a poll. */
  snapshot = (): PollData | undefined => this.#live.snapshot()
  /** Calls the listener after every change of this poll, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => this.#live.subscribe(listener)

  /** The user's own votes for options, oldest first, without answers. */
  get ownVotes(): PollVote[] {
    return (this.snapshot()?.own_votes ?? [])
      .filter((vote) => !isAnswer(vote))
      .toSorted((a, b) => byTime(a.created_at, b.created_at))
  }

  /** The user's own answer. */
  get ownAnswer(): PollVote | undefined {
    return this.snapshot()?.own_votes.find(isAnswer)
  }

  /** The user's own vote for an option; undefined without one. */
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
   * Votes for an option. If the user already has as many votes as the poll allows, the oldest is removed first [POL-7].
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
    // In a poll with one vote per user, the server itself replaces the old vote.
    if (oldest && isFull && !enforce_unique_vote && !this.ownVoteFor(optionID))
      await this.removeVote(oldest.id, messageID, call)
    return this.channel.vote(messageID, id, { option_id: optionID }, {}, call)
  }

  /** Removes a vote. */
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

  /** Removes an answer. */
  async removeAnswer(
    answerID: string,
    messageID = this.messageID,
    call: CallOptions = {},
  ): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
    return this.removeVote(answerID, messageID, call)
  }

  /** Replaces the poll's data; fields that are not given are removed. */
  async update(data: PollRequest, call: CallOptions = {}): Promise<Answer<{ poll: PollData }>> {
    return this.#client().updatePoll({ ...data, id: this.#known().id }, call)
  }

  /** Sets and unsets single fields. */
  async partialUpdate(update: PartialUpdate, call: CallOptions = {}): Promise<Answer<{ poll: PollData }>> {
    return this.#client().partialUpdatePoll(this.#known().id, update, call)
  }

  /** Closes the poll for all users. */
  async close(call: CallOptions = {}): Promise<Answer<{ poll: PollData }>> {
    return this.#client().closePoll(this.#known().id, {}, call)
  }

  /** Deletes the poll; its messages are shown without it. */
  async delete(call: CallOptions = {}): Promise<Answer> {
    return this.#client().deletePoll(this.#known().id, undefined, call)
  }

  /** @throws ChatError InputError (4) — there is an option with the same text */
  async createOption(text: string, call: CallOptions = {}): Promise<Answer<{ poll_option: PollOption }>> {
    return this.#client().createPollOption(this.#known().id, { text }, call)
  }

  /** Changes the text of an option. */
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
