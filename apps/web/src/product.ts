import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '../../process/settings.ts'
import { createChatService } from '../app/chat/chat-service.server.ts'
import { openDatabase } from '../app/database.server.ts'
import { pushKeys } from '../app/notifications/push-keys.server.ts'
import { PushSender } from '../app/notifications/push-sender.server.ts'
import { dropSubscription } from '../app/notifications/subscription-store.server.ts'
import type { Product } from '../app/product.server.ts'
import { openAuth } from '../app/session/auth.server.ts'
import { type Settings, SHORTEST_SECRET } from './settings.ts'

/** Wires the product by hand and brings its database up to date. */
export async function openProduct(settings: Settings): Promise<Product> {
  const secret = settings.sessionSecret ?? keptSecret(settings.dataDir)
  const database = openDatabase(settings.databaseUrl, settings.databasePoolSize)
  const auth = await openAuth(database, { secret, publicUrl: settings.publicUrl })
  const chat = settings.chat && createChatService(settings.chat)
  const push = new PushSender(await pushKeys(database), contactOf(settings.publicUrl), (endpoint) =>
    dropSubscription(database, endpoint),
  )
  const { publicUrl, pushServices } = settings
  return { auth, database, chat, push, pushServices, publicUrl, secret }
}

/** Whoever brings notifications wants to know whom to ask about them. */
function contactOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : `mailto:parley@${new URL(publicUrl).hostname}`
}

/**
 * A secret made once and kept, so that a restart signs nobody out.
 *
 * @throws SettingError — the file was not written to its end, as on a full disk; signed with that, everybody could sign
 */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'session-secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < SHORTEST_SECRET) throw new SettingError(`${file} holds no secret. Delete it, and start again.`)
  return secret
}
