import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openingDatabase } from '../../process/database-problem.ts'
import { lockFile } from '../../process/file-lock.ts'
import { keptFile } from '../../process/kept-file.ts'
import { SettingError } from '../../process/settings.ts'
import { isThisMachine } from '../../process/this-machine.ts'
import { createChatService } from '../app/chat/chat-service.server.ts'
import { type Database, openDatabase } from '../app/database.server.ts'
import { pushKeys } from '../app/notifications/push-keys.server.ts'
import { PushSender } from '../app/notifications/push-sender.server.ts'
import { dropSubscription } from '../app/notifications/subscription-store.server.ts'
import type { Product } from '../app/product.server.ts'
import { openAuth } from '../app/session/auth.server.ts'
import { isDemoSignIn } from './demo/keep-private.ts'
import { type Settings, SHORTEST_SECRET } from './settings.ts'

/**
 * Wires the product by hand and migrates its database.
 *
 * @throws SettingError naming an unusable setting
 */
export async function openProduct(settings: Settings): Promise<Product> {
  const { publicUrl, pushServices, foreignPictures, databaseUrl } = settings
  const secret = settings.sessionSecret ?? keptSecret(settings.dataDir)
  const { database, auth, keys } = await openingDatabase('WEB_DATABASE_URL', databaseUrl, async () => {
    const database = await openAlone(settings)
    try {
      const auth = await openAuth(database, { secret, publicUrl })
      return { database, auth, keys: await pushKeys(database) }
    } catch (error) {
      await database.close()
      throw error
    }
  })
  const chat = settings.chat && createChatService(settings.chat)
  const push = new PushSender(keys, contactOf(publicUrl), (endpoint) => dropSubscription(database, endpoint))
  const isClosedTo = isThisMachine(publicUrl) ? undefined : isDemoSignIn
  return { auth, database, chat, push, pushServices, foreignPictures, publicUrl, secret, isClosedTo }
}

/**
 * Opens the database; an SQLite file exclusively for this program.
 *
 * @throws SettingError — another web app uses the file
 */
async function openAlone({ databaseUrl, databasePoolSize, startWaitMs }: Settings): Promise<Database> {
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : ':memory:'
  if (file === ':memory:') return openDatabase(databaseUrl, databasePoolSize)
  mkdirSync(dirname(file), { recursive: true })
  const lock = await lockFile(file, startWaitMs, () =>
    console.warn(
      `Another program uses the file of WEB_DATABASE_URL. Waiting for it to end, for up to ${startWaitMs / 1000} s.`,
    ),
  )
  if (!lock)
    throw new SettingError(
      'Another program uses the file of WEB_DATABASE_URL. Stop that one, or set postgres://… for several nodes.',
    )
  const database = openDatabase(databaseUrl, databasePoolSize)
  return {
    ...database,
    async close() {
      await database.close()
      lock.release()
    },
  }
}

/** Push services require a contact address. */
function contactOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : `mailto:parley@${new URL(publicUrl).hostname}`
}

/**
 * A secret that is generated once and stored, so that a restart signs no user out.
 *
 * @throws SettingError — the file is truncated, as after a full disk; cookies signed with it could be forged
 */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'session-secret')
  const secret = keptFile(file, () => randomBytes(32).toString('base64url')).trim()
  if (secret.length < SHORTEST_SECRET)
    throw new SettingError(`SESSION_SECRET is not set, and ${file} holds no secret. Delete it, and start again.`)
  return secret
}
