import type { Database } from '../database.server.ts'

/** The whole product has one pair. */
const ID = 'vapid'

/** The keys that identify the product to push services (RFC 8292), in base64url. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

/** The keys, created at the first start. New ones would invalidate every subscription. */
export async function pushKeys({ kysely }: Database): Promise<PushKeys> {
  const read = () => kysely.selectFrom('pushKey').select(['publicKey', 'privateKey']).where('id', '=', ID)
  const kept = await read().executeTakeFirst()
  if (kept) return kept
  // Another web app may start for the first time, too.
  await kysely
    .insertInto('pushKey')
    .values({ id: ID, ...(await newKeys()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return read().executeTakeFirstOrThrow()
}

async function newKeys(): Promise<PushKeys> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url')
  const { d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { publicKey, privateKey: d! }
}
