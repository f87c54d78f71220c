import type { Readable } from 'node:stream'

/** From the first to the last byte, both counted. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where the bytes of files are kept. It knows names that this server made and nothing else; what a file is called and
 * who may have it stands in the database.
 */
export interface Storage {
  /** Takes over a file that lies on this machine: afterwards it is in the storage, and no longer where it was. */
  keep(name: string, path: string, type: string): Promise<void>
  /** @throws ChatError DoesNotExistError (16) — it is not there; Error — it cannot be reached */
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Those that are not there do not matter. */
  remove(names: readonly string[]): Promise<void>
}

/**
 * @param url `file:<folder>`, or `s3://key:secret@host/bucket` and `s3+http://…` for any storage that speaks S3;
 *   `?region=` where it is not `us-east-1`
 */
export async function openStorage(url: string): Promise<Storage> {
  if (url.startsWith('file:')) {
    const { DiskStorage } = await import('./disk-storage.ts')
    return new DiskStorage(url.slice('file:'.length))
  }
  const { S3Storage } = await import('./s3-storage.ts')
  return new S3Storage(new URL(url))
}
