import {
  ImportAnswer,
  ImportRequest,
  ImportsAnswer,
  ImportsQuery,
  type ImportTask,
  ImportUrlAnswer,
  ImportUrlRequest,
} from '@parley/protocol/imports'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { ImportRow } from '../../platform/database/tables.ts'
import { whole } from '../../platform/http/whole-number.ts'
import { isoOf } from '../../platform/micros.ts'
import { importById, importsPage } from './import-store.ts'
import { makeUpload } from './import-uploads.ts'
import { startImport } from './start-import.ts'

/** Imports per page. */
const PAGE = 25
const PAGE_MAX = 100

const makeUrl = endpoint(
  {
    name: 'CreateImportURL',
    method: 'POST',
    path: '/import_urls',
    body: ImportUrlRequest,
    answer: ImportUrlAnswer,
    serverOnly: true,
    status: 201,
  },
  ({ caller, body }, server) => makeUpload(server, caller.app, body.filename),
)

const start = endpoint(
  {
    name: 'CreateImport',
    method: 'POST',
    path: '/imports',
    body: ImportRequest,
    answer: ImportAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ import_task: importWire(await startImport(server, caller.app, body)) }),
)

const get = endpoint(
  { name: 'GetImport', method: 'GET', path: '/imports/:id', answer: ImportAnswer, serverOnly: true },
  async ({ caller, params }, { database }) => {
    const row = await importById(database.read, caller.app.id, params.id!)
    if (!row) throw new ChatError('DoesNotExistError', `Can't find import with id ${params.id}`)
    return { import_task: importWire(row) }
  },
)

const list = endpoint(
  {
    name: 'ListImports',
    method: 'GET',
    path: '/imports',
    query: ImportsQuery,
    answer: ImportsAnswer,
    serverOnly: true,
  },
  async ({ caller, query }, { database }) => {
    const page = {
      limit: whole('limit', query.limit, PAGE, 1, PAGE_MAX),
      offset: whole('offset', query.offset, 0, 0, 1_000),
    }
    return { import_tasks: (await importsPage(database.read, caller.app.id, page)).map(importWire) }
  },
)

function importWire(row: ImportRow): ImportTask {
  return {
    id: row.id,
    path: row.path,
    mode: row.mode,
    state: row.state,
    size: row.size,
    ...(row.result_json !== null && { result: JSON.parse(row.result_json) }),
    history: JSON.parse(row.history_json),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}

export const importEndpoints: Endpoint[] = [makeUrl, start, list, get]
