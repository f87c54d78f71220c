import type { Calling } from '../calling.ts'
import type { Given } from '../channels/channel-door.ts'
import { OnDemand } from '../on-demand.ts'

const reviewCalls = new OnDemand(() => import('./review-calls.ts'))
type ReviewCalls = typeof import('./review-calls.ts')

/** Moderators at work: what is to be looked at, and what was decided [client.md 5.6]. */
export class Moderation {
  #client: Calling
  constructor(client: Calling) {
    this.#client = client
  }

  /** @param entityCreatorID  needed only for what is neither a message nor a user [MOD2-2] */
  async flag(...given: Given<ReviewCalls['flag']>) {
    return reviewCalls.use((calls) => calls.flag(this.#client, ...given))
  }

  /** Reports a user to the queue. */
  async flagUser(...given: Given<ReviewCalls['flagUser']>) {
    return reviewCalls.use((calls) => calls.flagUser(this.#client, ...given))
  }

  /** Reports a message to the queue. */
  async flagMessage(...given: Given<ReviewCalls['flagMessage']>) {
    return reviewCalls.use((calls) => calls.flagMessage(this.#client, ...given))
  }

  /** @param options.timeout  minutes; for ever when left out [MOD2-3] */
  async muteUser(...given: Given<ReviewCalls['muteUser']>) {
    return reviewCalls.use((calls) => calls.muteUser(this.#client, ...given))
  }

  /** [MOD2-4] */
  async unmuteUser(...given: Given<ReviewCalls['unmuteUser']>) {
    return reviewCalls.use((calls) => calls.unmuteUser(this.#client, ...given))
  }

  /** Who muted and who blocked this user [MOD2-5]. */
  async getUserModerationReport(...given: Given<ReviewCalls['getUserModerationReport']>) {
    return reviewCalls.use((calls) => calls.getUserModerationReport(this.#client, ...given))
  }

  /**
   * What is to be looked at, newest first unless said otherwise [MOD2-6].
   * @param options.lock_items  takes items for oneself, so that no other moderator looks at the same; false gives them back
   */
  async queryReviewQueue(...given: Given<ReviewCalls['queryReviewQueue']>) {
    return reviewCalls.use((calls) => calls.queryReviewQueue(this.#client, ...given))
  }

  /** Creates or replaces the configuration of its key: `chat`, `chat:<type>` or `chat:<type>:<id>` [MOD2-7]. */
  async upsertConfig(...given: Given<ReviewCalls['upsertConfig']>) {
    return reviewCalls.use((calls) => calls.upsertConfig(this.#client, ...given))
  }

  /** [MOD2-8] */
  async getConfig(...given: Given<ReviewCalls['getConfig']>) {
    return reviewCalls.use((calls) => calls.getConfig(this.#client, ...given))
  }

  /** [MOD2-9] */
  async deleteConfig(...given: Given<ReviewCalls['deleteConfig']>) {
    return reviewCalls.use((calls) => calls.deleteConfig(this.#client, ...given))
  }

  /** [MOD2-10] */
  async queryConfigs(...given: Given<ReviewCalls['queryConfigs']>) {
    return reviewCalls.use((calls) => calls.queryConfigs(this.#client, ...given))
  }

  /**
   * What a moderator decides about an item [MOD2-11].
   * @param actionType  for example `mark_reviewed`, `delete_message`, `ban`
   * @param options     the action's own, under its name: `{ ban: { timeout: 60 } }`; and who decides, with the secret
   */
  async submitAction(...given: Given<ReviewCalls['submitAction']>) {
    return reviewCalls.use((calls) => calls.submitAction(this.#client, ...given))
  }

  /**
   * What a configuration says to some content; nothing happens to the content itself [MOD2-12].
   * @param options.options  `{ force_sync: true }` waits for slow checks too
   */
  async check(...given: Given<ReviewCalls['check']>) {
    return reviewCalls.use((calls) => calls.check(this.#client, ...given))
  }
}
