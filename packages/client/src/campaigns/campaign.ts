import type { Calling } from '../calling.ts'
import type { Answer, Around, CallOptions, PageOptions } from '../shapes.ts'
import * as calls from './campaign-calls.ts'

/**
 * One campaign, by its id. `client.campaign()` makes the object; `create()` creates it on the server. Every action
 * rejects with CLIENT_CAMPAIGN_ID_MISSING without an id, and with CLIENT_SERVER_ONLY without the secret.
 * @see client.md 5.7
 */
export class Campaign {
  #client: Calling
  #id: string | null
  #data: Partial<calls.CampaignData> | calls.CampaignAnswer
  constructor(client: Calling, id: string | null, data: Partial<calls.CampaignData> = {}) {
    this.#client = client
    this.#id = id
    this.#data = data
  }

  /** null until the server has assigned one. */
  get id(): string | null {
    return this.#id
  }

  /** The given data, merged with the server's later answers. */
  get data(): Partial<calls.CampaignData> | calls.CampaignAnswer {
    return this.#data
  }

  /** Creates it, and takes the id and the data from the server's answer [CAM-2]. */
  async create(call: CallOptions = {}): Promise<Answer<{ campaign: calls.CampaignAnswer; users?: Around }>> {
    const data = { ...(this.#data as calls.CampaignData), ...(this.#id !== null && { id: this.#id }) }
    const answer = await calls.createCampaign(this.#client, data, call)
    this.#take(answer.campaign)
    return answer
  }

  /** Reads it again; the options choose a page of its users. */
  async get(
    options: PageOptions = {},
    call: CallOptions = {},
  ): Promise<Answer<{ campaign: calls.CampaignAnswer; users?: Around }>> {
    const answer = await calls.getCampaign(this.#client, this.#id ?? '', options, call)
    this.#take(answer.campaign)
    return answer
  }

  /** Starts at once, or at `scheduledFor`; a campaign runs once. */
  async start(
    options: calls.CampaignStart = {},
    call: CallOptions = {},
  ): Promise<Answer<{ campaign: calls.CampaignAnswer; users?: Around }>> {
    const answer = await calls.startCampaign(this.#client, this.#id ?? '', options, call)
    this.#take(answer.campaign)
    return answer
  }

  /** Stops it before all users have received the message. */
  async stop(call: CallOptions = {}): Promise<Answer<{ campaign: calls.CampaignAnswer }>> {
    const answer = await calls.stopCampaign(this.#client, this.#id ?? '', call)
    this.#take(answer.campaign)
    return answer
  }

  /** Changes it, before it has started. */
  async update(
    data: Partial<calls.CampaignData>,
    call: CallOptions = {},
  ): Promise<Answer<{ campaign: calls.CampaignAnswer }>> {
    const answer = await calls.updateCampaign(this.#client, this.#id ?? '', data, call)
    this.#take(answer.campaign)
    return answer
  }

  /** Deletes the campaign. */
  async delete(call: CallOptions = {}): Promise<Answer> {
    return calls.deleteCampaign(this.#client, this.#id ?? '', call)
  }

  #take(campaign: calls.CampaignAnswer) {
    this.#id = campaign.id
    this.#data = campaign
  }
}
