import {
  BlockListAnswer,
  BlockListQuery,
  BlockListsAnswer,
  CreateBlockListRequest,
  ImportBlockListRequest,
  UpdateBlockListRequest,
} from '@parley/protocol/block-lists'
import { Done } from '@parley/protocol/wire'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { createBlockList, deleteBlockList, existing, importWords, updateBlockList } from './change-block-lists.ts'
import { blockListsOf } from './known-lists.ts'

const list = endpoint(
  {
    name: 'ListBlockLists',
    method: 'GET',
    path: '/blocklists',
    query: BlockListQuery,
    answer: BlockListsAnswer,
    serverOnly: true,
  },
  async ({ caller, query }) => ({
    blocklists: [...blockListsOf(caller.app).values()]
      .map(({ list }) => list)
      .filter((list) => !query.team || list.team === query.team),
  }),
)

const get = endpoint(
  {
    name: 'GetBlockList',
    method: 'GET',
    path: '/blocklists/:name',
    query: BlockListQuery,
    answer: BlockListAnswer,
    serverOnly: true,
  },
  async ({ caller, params, query }) => ({ blocklist: existing(caller.app, params.name!, query.team).list }),
)

const create = endpoint(
  {
    name: 'CreateBlockList',
    method: 'POST',
    path: '/blocklists',
    body: CreateBlockListRequest,
    answer: BlockListAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ blocklist: await createBlockList(server, caller.app, body) }),
)

const update = endpoint(
  {
    name: 'UpdateBlockList',
    method: 'PUT',
    path: '/blocklists/:name',
    body: UpdateBlockListRequest,
    answer: BlockListAnswer,
    serverOnly: true,
  },
  async ({ caller, params, body }, server) => ({
    blocklist: await updateBlockList(server, caller.app, params.name!, body),
  }),
)

const importInto = endpoint(
  {
    name: 'ImportBlockList',
    method: 'POST',
    path: '/blocklists/:name/import',
    body: ImportBlockListRequest,
    answer: BlockListAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, params, body }, server) => ({
    blocklist: await importWords(server, caller.app, params.name!, body.words),
  }),
)

const remove = endpoint(
  {
    name: 'DeleteBlockList',
    method: 'DELETE',
    path: '/blocklists/:name',
    query: BlockListQuery,
    answer: Done,
    serverOnly: true,
  },
  async ({ caller, params, query }, server) => {
    await deleteBlockList(server, caller.app, params.name!, query.team)
    return {}
  },
)

export const blockListEndpoints: Endpoint[] = [list, get, create, update, importInto, remove]
