/** Sets of users or channels as campaign targets; only for the application's own server [administration.md 12.1]. */
import type { Calling } from '../calling.ts'
import { clientError } from '../chat-error.ts'
import {
  type Answer,
  type CallOptions,
  type Filter,
  type Page,
  type PageOptions,
  type Sort,
  wireSort,
} from '../shapes.ts'

export type SegmentType = 'user' | 'channel'

/**
 * `filter`, `all_users` and `all_sender_channels` exclude each other; without any of them, targets are added by hand.
 */
export interface SegmentData {
  name?: string
  description?: string
  filter?: Filter
  all_users?: boolean
  all_sender_channels?: boolean
}

/** A segment on the server [SEG-1]. */
export interface SegmentAnswer extends Required<Omit<SegmentData, 'filter'>> {
  id: string
  type: SegmentType
  filter: Filter | null
  size: number
  created_at: string
  updated_at: string
  deleted_at?: string
  /** The task that counts its members, while it runs. */
  task_id?: string
}

export interface SegmentTarget {
  segment_id: string
  /** A user's id, or a channel's cid. */
  target_id: string
  /** The id of the app. */
  app_pk: number
  created_at: string
}

export async function createSegment(
  client: Calling,
  type: SegmentType,
  id: string | null,
  data: SegmentData = {},
  call: CallOptions = {},
): Promise<Answer<{ segment: SegmentAnswer }>> {
  serverSideOnly(client)
  return client.request('POST', '/segments', { body: { type, id: id ?? undefined, ...data }, ...call })
}

export function createUserSegment(
  client: Calling,
  id: string | null,
  data: SegmentData = {},
  call: CallOptions = {},
): Promise<Answer<{ segment: SegmentAnswer }>> {
  return createSegment(client, 'user', id, data, call)
}

export function createChannelSegment(
  client: Calling,
  id: string | null,
  data: SegmentData = {},
  call: CallOptions = {},
): Promise<Answer<{ segment: SegmentAnswer }>> {
  return createSegment(client, 'channel', id, data, call)
}

export async function getSegment(
  client: Calling,
  id: string,
  call: CallOptions = {},
): Promise<Answer<{ segment: SegmentAnswer }>> {
  return client.request('GET', segmentPath(client, id), call)
}

export async function updateSegment(
  client: Calling,
  id: string,
  data: Pick<SegmentData, 'name' | 'description' | 'filter'>,
  call: CallOptions = {},
): Promise<Answer<{ segment: SegmentAnswer }>> {
  return client.request('PUT', segmentPath(client, id), { body: data, ...call })
}

export async function deleteSegment(client: Calling, id: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', segmentPath(client, id), call)
}

export async function querySegments(
  client: Calling,
  filter: Filter,
  sort: Sort = [],
  options: PageOptions = {},
  call: CallOptions = {},
): Promise<Page<{ segments: SegmentAnswer[] }>> {
  serverSideOnly(client)
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', '/segments/query', { body, ...call })
}

export async function addSegmentTargets(
  client: Calling,
  id: string,
  targets: readonly string[],
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('POST', `${segmentPath(client, id)}/addtargets`, { body: { target_ids: targets }, ...call })
}

export async function removeSegmentTargets(
  client: Calling,
  id: string,
  targets: readonly string[],
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('POST', `${segmentPath(client, id)}/deletetargets`, { body: { target_ids: targets }, ...call })
}

export async function segmentTargetExists(
  client: Calling,
  id: string,
  target: string,
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('GET', `${segmentPath(client, id)}/target/${encodeURIComponent(target)}`, call)
}

export async function querySegmentTargets(
  client: Calling,
  id: string,
  filter: Filter = {},
  sort: Sort = [],
  options: PageOptions = {},
  call: CallOptions = {},
): Promise<Page<{ targets: SegmentTarget[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', `${segmentPath(client, id)}/targets/query`, { body, ...call })
}

/** @throws ChatError CLIENT_SERVER_ONLY */
export function serverSideOnly(client: Calling) {
  if (!client.isServerSide)
    throw clientError('CLIENT_SERVER_ONLY', 'This call is server-side only; create the client with an API secret')
}

function segmentPath(client: Calling, id: string): string {
  serverSideOnly(client)
  if (!id)
    throw clientError(
      'CLIENT_SEGMENT_ID_MISSING',
      'Segment id is missing. Either create the segment using segment.create() or set the id during instantiation.',
    )
  return `/segments/${encodeURIComponent(id)}`
}
