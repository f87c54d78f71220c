import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { ChatError } from '../../platform/chat-error.ts'
import type { ByteRange, Storage } from './storage.ts'

/** Retries when the storage is busy. */
const RETRIES = 2

/** Files in a bucket of Amazon S3 or a compatible storage. */
export class S3Storage implements Storage {
  #client: AwsClient
  /** The bucket's address, without a trailing slash. */
  #bucket: string
  constructor(url: URL) {
    this.#client = new AwsClient({
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      service: 's3',
      region: url.searchParams.get('region') ?? 'us-east-1',
      retries: RETRIES,
    })
    const scheme = url.protocol === 's3+http:' ? 'http' : 'https'
    this.#bucket = `${scheme}://${url.host}${url.pathname.replace(/\/+$/, '')}`
  }

  async keep(name: string, path: string, type: string) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const headers = { 'Content-Type': type, 'X-Amz-Content-Sha256': hash.digest('hex') }
    await this.#call('PUT', name, { body: await openAsBlob(path), headers })
    await rm(path)
  }

  async read(name: string, range?: ByteRange): Promise<Readable> {
    const answer = await this.#call('GET', name, range && { headers: { Range: `bytes=${range.start}-${range.end}` } })
    return Readable.fromWeb(answer.body as ReadableStream)
  }

  async remove(names: readonly string[]) {
    for (const name of names) await this.#call('DELETE', name)
  }

  async #call(
    method: string,
    name: string,
    init?: { body?: Blob; headers?: Record<string, string> },
  ): Promise<Response> {
    const answer = await this.#client.fetch(`${this.#bucket}/${name}`, { method, ...init })
    if (answer.ok || (method === 'DELETE' && answer.status === 404)) return answer
    const text = (await answer.text()).slice(0, 500)
    const cause = new Error(`The storage of files answered ${method} with ${answer.status}: ${text}`)
    if (method !== 'GET' || answer.status !== 404) throw cause
    throw new ChatError('DoesNotExistError', 'the file is not there any more', { cause })
  }
}
