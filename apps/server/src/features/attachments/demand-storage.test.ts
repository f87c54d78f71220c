import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { SettingError } from '../../../../process/settings.ts'
import { readSettings } from '../../platform/settings.ts'
import { demandStorage } from './demand-storage.ts'

describe('the storage check at startup', () => {
  let folder = ''
  let bucket: S3rver
  let place = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-storage-'))
    const configureBuckets = [{ name: 'files', configs: [] }]
    bucket = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets,
    })
    place = `127.0.0.1:${(await bucket.run()).port}`
    writeFileSync(join(folder, 'a-file'), '')
  })
  afterAll(async () => {
    await bucket.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const demand = (env: Record<string, string>) =>
    demandStorage(readSettings({ DATA_DIR: join(folder, 'data'), ...env }))

  async function refusal(env: Record<string, string>): Promise<string> {
    const error: unknown = await demand(env).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof SettingError, `${JSON.stringify(env)} was taken, or broke: ${error}`)
    assert.doesNotMatch(error.message, /\n|hunter2/)
    return error.message
  }

  it('leaves nothing in the storage', async () => {
    await demand({})
    assert.deepEqual(readdirSync(join(folder, 'data/files/passing')), [])
    await demand({ FILES_URL: `file:${join(folder, 'files')}` })
    await demand({ FILES_URL: `s3+http://S3RVER:S3RVER@${place}/files/below/that` })
    assert.deepEqual(readdirSync(join(folder, 'data/passing')), [])
    const kept = readdirSync(join(folder, 's3'), { recursive: true }).filter((name) => String(name).includes('probe-'))
    assert.deepEqual(kept, [])
  })

  it('names the setting when a folder is not writable', async () => {
    assert.match(await refusal({ FILES_URL: `file:${folder}/a-file/files` }), /^FILES_URL .*ENOTDIR/)
    assert.match(await refusal({ DATA_DIR: `${folder}/a-file` }), /^DATA_DIR .*(ENOTDIR|EEXIST)/)
    assert.match(
      await refusal({ DATA_DIR: `${folder}/a-file`, FILES_URL: `s3+http://S3RVER:S3RVER@${place}/files` }),
      /^DATA_DIR /,
    )
    assert.ok(!existsSync(join(folder, 'a-file/files')))
  })

  it('names the setting when a storage is dead, or not ours', async () => {
    const key = 'S3RVER:S3RVER'
    assert.match(await refusal({ FILES_URL: `s3+http://${key}@127.0.0.1:1/files` }), /^FILES_URL .*cannot be reached/)
    assert.match(
      await refusal({ FILES_URL: `s3+http://${key}@storage.invalid/files` }),
      /^FILES_URL .*cannot be reached/,
    )
    assert.match(await refusal({ FILES_URL: `s3+http://${key}@${place}/other` }), /^FILES_URL .*no bucket other/)
    assert.match(
      await refusal({ FILES_URL: `s3+http://stranger:hunter2@${place}/files` }),
      /^FILES_URL .*refuses this key/,
    )
    // TLS with a server without TLS.
    assert.match(await refusal({ FILES_URL: `s3://${key}@${place}/files` }), /^FILES_URL /)
  })

  it.each([
    [403, 'SignatureDoesNotMatch', /^FILES_URL .*refuses this key and secret .*SignatureDoesNotMatch/],
    [403, 'AccessDenied', /^FILES_URL .*refuses this key and secret for PUT .*AccessDenied/],
    [404, 'NoSuchBucket', /^FILES_URL .*no bucket files/],
    [301, 'PermanentRedirect', /^FILES_URL .*another region/],
    [400, 'AuthorizationHeaderMalformed', /^FILES_URL .*another region/],
    [409, 'OperationAborted', /^FILES_URL .*answers PUT with OperationAborted/],
  ])('is named when it answers with %s %s', async (status, code, line) => {
    const storage = createServer((request, response) => {
      request.resume()
      response
        .writeHead(status)
        .end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Secret>hunter2</Secret></Error>`)
    })
    await new Promise<void>((listening) => storage.listen(0, '127.0.0.1', listening))
    const { port } = storage.address() as AddressInfo
    assert.match(await refusal({ FILES_URL: `s3+http://a:b@127.0.0.1:${port}/files` }), line)
    storage.closeAllConnections()
    storage.close()
  })

  it('names the setting when another service answers there', async () => {
    const page = createServer((_request, response) => void response.end('<!doctype html>'))
    await new Promise<void>((listening) => page.listen(0, '127.0.0.1', listening))
    const { port } = page.address() as AddressInfo
    assert.match(await refusal({ FILES_URL: `s3+http://a:b@127.0.0.1:${port}/files` }), /^FILES_URL .*not read again/)
    page.closeAllConnections()
    page.close()
  })
})
