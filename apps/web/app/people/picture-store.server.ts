import { randomBytes } from 'node:crypto'
import type { Database } from '../database.server.ts'

/** Replaces the user's picture; without a new one their initials are shown. */
export async function savePicture({ kysely }: Database, userId: string, picture: Buffer | undefined): Promise<void> {
  const id = randomBytes(16).toString('hex')
  await kysely.transaction().execute(async (transaction) => {
    // Writes the user first, so that of two concurrent calls the later one sees the other's picture.
    await transaction
      .updateTable('user')
      .set({ image: picture ? `/pictures/${id}.webp` : null, updatedAt: new Date() })
      .where('id', '=', userId)
      .execute()
    await transaction.deleteFrom('picture').where('userId', '=', userId).execute()
    if (picture)
      await transaction
        .insertInto('picture')
        .values({ id, userId, content: picture.toString('base64') })
        .execute()
  })
}

export async function pictureWithId({ kysely }: Database, id: string): Promise<Buffer | undefined> {
  const row = await kysely.selectFrom('picture').select('content').where('id', '=', id).executeTakeFirst()
  return row && Buffer.from(row.content, 'base64')
}
