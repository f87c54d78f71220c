import type { Calling } from '../calling.ts'
import type { Answer, Around, CallOptions, PageOptions } from '../shapes.ts'
import * as calls from './campaign-calls.ts'

/**
 * One campaign, by its id. Made by `client.campaign()`; the server knows it once it is created.
 * Every action rejects with CLIENT_CAMPAIGN_ID_MISSING without an id, and with CLIENT_SERVER_ONLY without the secret.
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

  /** null until the server has given one. */
  get id(): string | null {
    return this.#id
  }

  /** The given data, merged with the server's answers since. */
  get data(): Partial<calls.CampaignData> | calls.CampaignAnswer {
    return this.#data
  }

  /** Makes it, and takes the id and the data the server gives it [CAM-2]. */
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

  /** Begins at once, or at `scheduledFor`; a campaign runs once. */
  async start(
    options: calls.CampaignStart = {},
    call: CallOptions = {},
  ): Promise<Answer<{ campaign: calls.CampaignAnswer; users?: Around }>> {
    const answer = await calls.startCampaign(this.#client, this.#id ?? '', options, call)
    this.#take(answer.campaign)
    return answer
  }

  /** Ends it before all have got their message. */
  async stop(call: CallOptions = {}): Promise<Answer<{ campaign: calls.CampaignAnswer }>> {
    const answer = await calls.stopCampaign(this.#client, this.#id ?? '', call)
    this.#take(answer.campaign)
    return answer
  }

  /** Changes it, before it has begun. */
  async update(
    data: Partial<calls.CampaignData>,
    call: CallOptions = {},
  ): Promise<Answer<{ campaign: calls.CampaignAnswer }>> {
    const answer = await calls.updateCampaign(this.#client, this.#id ?? '', data, call)
    this.#take(answer.campaign)
    return answer
  }

  /** Deletes it. */
  async delete(call: CallOptions = {}): Promise<Answer> {
    return calls.deleteCampaign(this.#client, this.#id ?? '', call)
  }

  #take(campaign: calls.CampaignAnswer) {
    this.#id = campaign.id
    this.#data = campaign
  }
}
