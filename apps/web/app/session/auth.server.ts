import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { organization } from 'better-auth/plugins/organization'
import type { Database } from '../database.server.ts'
import { moveChatAccess } from '../members/chat-access.server.ts'
import { migrate } from '../migrate.server.ts'

/** Slows password guessing: sign-in attempts per minute from one address, for any account. */
const SIGN_INS_A_MINUTE = 40

const SESSION_SECONDS = 30 * 24 * 3_600
const MOST_MEMBERS = 100_000

export type Auth = Awaited<ReturnType<typeof openAuth>>

/** Sign-in, sessions, organizations and roles, on the product's own database, which is migrated first. */
export async function openAuth(database: Database, site: { secret: string; publicUrl: string }) {
  const options = authOptions(database, site)
  await migrate(database, options)
  await moveChatAccess(database)
  return betterAuth(options)
}

/** Our own tables; the library creates them along with its own. */
const pictures = {
  id: 'pictures',
  schema: {
    picture: {
      fields: {
        userId: {
          type: 'string',
          required: true,
          index: true,
          references: { model: 'user', field: 'id', onDelete: 'cascade' },
        },
        content: { type: 'string', required: true },
      },
    },
  },
} satisfies BetterAuthPlugin

/** The push subscriptions, and the keys that identify the product to push services. */
const notifications = {
  id: 'notifications',
  schema: {
    pushKey: {
      fields: {
        publicKey: { type: 'string', required: true },
        privateKey: { type: 'string', required: true },
      },
    },
    pushSubscription: {
      fields: {
        userId: {
          type: 'string',
          required: true,
          index: true,
          references: { model: 'user', field: 'id', onDelete: 'cascade' },
        },
        // Signing out also ends the notifications of that browser.
        sessionId: {
          type: 'string',
          required: true,
          index: true,
          references: { model: 'session', field: 'id', onDelete: 'cascade' },
        },
        endpoint: { type: 'string', required: true, unique: true },
        p256dh: { type: 'string', required: true },
        auth: { type: 'string', required: true },
        language: { type: 'string', required: true },
      },
    },
  },
} satisfies BetterAuthPlugin

/** Deleted users whom the chat server has yet to delete. */
const departures = {
  id: 'departures',
  schema: { departure: { fields: { at: { type: 'date', required: true } } } },
} satisfies BetterAuthPlugin

/** The state of the rate limiters. */
const rateLimits = {
  id: 'allowances',
  schema: {
    allowance: { fields: { spentUntil: { type: 'number', bigint: true, required: true, index: true } } },
  },
} satisfies BetterAuthPlugin

/** One row, which is written to find out whether the database is writable. */
const healthProbe = {
  id: 'healthProbe',
  schema: { healthProbe: { fields: { at: { type: 'number', bigint: true, required: true } } } },
} satisfies BetterAuthPlugin

/** Without a default, so that memberships from before this column have null. */
const memberFields = { chatAccess: { type: 'boolean', required: false, input: false } } as const

function authOptions(database: Database, { secret, publicUrl }: { secret: string; publicUrl: string }) {
  return {
    appName: 'Parley',
    baseURL: publicUrl,
    secret,
    database: { db: database.kysely, type: database.type, transaction: true },
    telemetry: { enabled: false },
    logger: { level: 'error' },
    emailAndPassword: { enabled: true, autoSignIn: false },
    session: { expiresIn: SESSION_SECONDS },
    advanced: { useSecureCookies: publicUrl.startsWith('https:'), cookiePrefix: 'parley' },
    rateLimit: {
      enabled: true,
      customRules: { '/sign-in/email': { window: 60, max: SIGN_INS_A_MINUTE } },
    },
    user: {
      additionalFields: {
        givenName: { type: 'string', required: true },
        familyName: { type: 'string', required: true },
        nameKey: { type: 'string', required: true, index: true, defaultValue: '', input: false, returned: false },
        language: { type: 'string', required: false },
        theme: { type: 'string', required: true, defaultValue: 'system' },
        // Replaced by the membership's own; this column is no longer read.
        chatAccess: { type: 'boolean', required: true, defaultValue: true, input: false, returned: false },
        chatEndedAt: { type: 'date', required: false, index: true, input: false, returned: false },
      },
    },
    plugins: [
      organization({ membershipLimit: MOST_MEMBERS, schema: { member: { additionalFields: memberFields } } }),
      pictures,
      notifications,
      departures,
      rateLimits,
      healthProbe,
    ],
  } satisfies BetterAuthOptions
}
