import type { Calling } from '../calling.ts'
import type { Answer, CallOptions, Filter, Page, PageOptions, Sort } from '../shapes.ts'
import * as calls from './segment-calls.ts'

/**
 * One segment, by its id. `client.segment()` makes the object; `create()` creates it on the server. Every action
 * rejects with CLIENT_SEGMENT_ID_MISSING without an id, and with CLIENT_SERVER_ONLY without the secret.
 * @see client.md 5.7
 */
export class Segment {
  /** Whether it contains users or channels. */
  readonly type: calls.SegmentType
  #client: Calling
  #id: string | null
  #data: calls.SegmentData | calls.SegmentAnswer
  constructor(client: Calling, type: calls.SegmentType, id: string | null, data: calls.SegmentData = {}) {
    this.#client = client
    this.type = type
    this.#id = id
    this.#data = data
  }

  /** null until the server has assigned one. */
  get id(): string | null {
    return this.#id
  }

  /** The given data, merged with the server's later answers. */
  get data(): calls.SegmentData | calls.SegmentAnswer {
    return this.#data
  }

  /** Creates it, and takes the id and the data from the server's answer. */
  async create(call: CallOptions = {}): Promise<Answer<{ segment: calls.SegmentAnswer }>> {
    const answer = await calls.createSegment(this.#client, this.type, this.#id, this.#data as calls.SegmentData, call)
    this.#take(answer.segment)
    return answer
  }

  /** Reads it again. */
  async get(call: CallOptions = {}): Promise<Answer<{ segment: calls.SegmentAnswer }>> {
    const answer = await calls.getSegment(this.#client, this.#id ?? '', call)
    this.#take(answer.segment)
    return answer
  }

  /** Changes its name, its description or its filter. */
  async update(
    data: Pick<calls.SegmentData, 'name' | 'description' | 'filter'>,
    call: CallOptions = {},
  ): Promise<Answer<{ segment: calls.SegmentAnswer }>> {
    const answer = await calls.updateSegment(this.#client, this.#id ?? '', data, call)
    this.#take(answer.segment)
    return answer
  }

  /** Deletes the segment. */
  async delete(call: CallOptions = {}): Promise<Answer> {
    return calls.deleteSegment(this.#client, this.#id ?? '', call)
  }

  /** Adds user ids, or cids of channels; at most 10,000. */
  async addTargets(targets: readonly string[], call: CallOptions = {}): Promise<Answer> {
    return calls.addSegmentTargets(this.#client, this.#id ?? '', targets, call)
  }

  /** Removes targets. */
  async removeTargets(targets: readonly string[], call: CallOptions = {}): Promise<Answer> {
    return calls.removeSegmentTargets(this.#client, this.#id ?? '', targets, call)
  }

  /** @throws ChatError DoesNotExistError (16) — the segment does not contain the target */
  async targetExists(target: string, call: CallOptions = {}): Promise<Answer> {
    return calls.segmentTargetExists(this.#client, this.#id ?? '', target, call)
  }

  /** A page of its targets, by id. */
  async queryTargets(
    filter: Filter = {},
    sort: Sort = [],
    options: PageOptions = {},
    call: CallOptions = {},
  ): Promise<Page<{ targets: calls.SegmentTarget[] }>> {
    return calls.querySegmentTargets(this.#client, this.#id ?? '', filter, sort, options, call)
  }

  #take(segment: calls.SegmentAnswer) {
    this.#id = segment.id
    this.#data = segment
  }
}
