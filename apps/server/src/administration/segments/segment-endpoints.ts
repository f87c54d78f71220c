import {
  CreateSegmentRequest,
  QuerySegmentsRequest,
  QuerySegmentTargetsRequest,
  SegmentAnswer,
  SegmentsAnswer,
  SegmentTargetsAnswer,
  SegmentTargetsRequest,
  UpdateSegmentRequest,
} from '@parley/protocol/segments'
import { Done } from '@parley/protocol/wire'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { addSegmentTargets, deleteSegmentTargets } from './change-targets.ts'
import { createSegment } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { querySegments, queryTargets } from './query-segments.ts'
import { accessSegment } from './segment-access.ts'
import { segmentWire } from './segment-wire.ts'
import { isTarget } from './targets-of-segment.ts'
import { updateSegment } from './update-segment.ts'

/** Ten thousand ids of maximum length. */
const LIST_BYTES = 3 * 1024 * 1024

const create = endpoint(
  {
    name: 'CreateSegment',
    method: 'POST',
    path: '/segments',
    body: CreateSegmentRequest,
    answer: SegmentAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ segment: await createSegment(server, caller.app.id, body) }),
)

const get = endpoint(
  { name: 'GetSegment', method: 'GET', path: '/segments/:id', answer: SegmentAnswer, serverOnly: true },
  async ({ caller, params }, server) => ({ segment: segmentWire(await accessSegment(server, caller, params.id!)) }),
)

const update = endpoint(
  {
    name: 'UpdateSegment',
    method: 'PUT',
    path: '/segments/:id',
    body: UpdateSegmentRequest,
    answer: SegmentAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    const segment = await accessSegment(server, caller, params.id!)
    return { segment: await updateSegment(server, segment, body) }
  },
)

const remove = endpoint(
  { name: 'DeleteSegment', method: 'DELETE', path: '/segments/:id', answer: Done, serverOnly: true },
  async ({ caller, params }, server) => {
    await deleteSegment(server, await accessSegment(server, caller, params.id!))
    return {}
  },
)

const query = endpoint(
  {
    name: 'QuerySegments',
    method: 'POST',
    path: '/segments/query',
    body: QuerySegmentsRequest,
    answer: SegmentsAnswer,
    serverOnly: true,
  },
  ({ caller, body }, server) => querySegments(server, caller.app.id, body),
)

/** The same as the query, as older clients ask. */
const list = endpoint(
  {
    name: 'ListSegments',
    method: 'GET',
    path: '/segments',
    payload: QuerySegmentsRequest,
    answer: SegmentsAnswer,
    serverOnly: true,
  },
  ({ caller, query }, server) => querySegments(server, caller.app.id, query),
)

const add = endpoint(
  {
    name: 'AddSegmentTargets',
    method: 'POST',
    path: '/segments/:id/addtargets',
    body: SegmentTargetsRequest,
    bodyBytes: LIST_BYTES,
    answer: Done,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    await addSegmentTargets(server, await accessSegment(server, caller, params.id!), body.target_ids)
    return {}
  },
)

const takeOut = endpoint(
  {
    name: 'DeleteSegmentTargets',
    method: 'POST',
    path: '/segments/:id/deletetargets',
    body: SegmentTargetsRequest,
    bodyBytes: LIST_BYTES,
    answer: Done,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => {
    await deleteSegmentTargets(server, await accessSegment(server, caller, params.id!), body.target_ids)
    return {}
  },
)

const exists = endpoint(
  {
    name: 'SegmentTargetExists',
    method: 'GET',
    path: '/segments/:id/target/:target',
    answer: Done,
    serverOnly: true,
  },
  async ({ caller, params }, server) => {
    const segment = await accessSegment(server, caller, params.id!)
    if (!(await isTarget(server, segment, params.target!)))
      throw new ChatError('DoesNotExistError', `target ${params.target} is not in segment ${segment.id}`)
    return {}
  },
)

const targets = endpoint(
  {
    name: 'QuerySegmentTargets',
    method: 'POST',
    path: '/segments/:id/targets/query',
    body: QuerySegmentTargetsRequest,
    answer: SegmentTargetsAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) =>
    queryTargets(server, await accessSegment(server, caller, params.id!), body),
)

export const segmentEndpoints: Endpoint[] = [create, list, query, get, update, remove, add, takeOut, exists, targets]
