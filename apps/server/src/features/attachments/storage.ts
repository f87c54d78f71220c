import type { Readable } from 'node:stream'

/** From the first to the last byte, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Stores the bytes of files under names made by this server; file names and access rules are
 * in the database.
 */
export interface Storage {
  /** Moves a local file into the storage. */
  keep(name: string, path: string, type: string): Promise<void>
  /** @throws ChatError DoesNotExistError (16) — it is not there; Error — it cannot be reached */
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Missing names are ignored. */
  remove(names: readonly string[]): Promise<void>
}

/**
 * @param url `file:<folder>`, or `s3://key:secret@host/bucket` and `s3+http://…` for S3-compatible storages;
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
