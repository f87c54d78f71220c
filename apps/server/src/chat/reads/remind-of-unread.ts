/** Sends an app's own server reminders of users with old unread messages, to write to them [administration.md 14.6]. */
import type { Channel } from '@parley/protocol/channels'
import type { Kysely } from 'kysely'
import { postsBetween } from '../../features/sync/posts-between.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { type ScheduledJobKind, scheduleJobOnce } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { channelsShown } from '../channels/channels-shown.ts'
import {
  beginLooks,
  forgetLooks,
  forgetReminded,
  lookedUpTo,
  putReminded,
  setLookedUpTo,
} from './unread-reminder-store.ts'
import { type Posts, REMINDER, unreadReminders } from './unread-reminders.ts'

/** How often an app is checked: a reminder comes at most this much late. */
const LOOK_MICROS = 15_000_000
/** Messages that one check covers, and members of their channels; the next check, a moment later, does the rest. */
const MESSAGES_AT_ONCE = 500
const MEMBERS_AT_ONCE = 5_000

/**
 * One check of an app: covers messages posted one interval ago or a little more that no check covered yet. Sending a
 * message stores nothing for it and schedules no job. Removing the job, publishing, and storing the position reached
 * are one write, so each message is checked once, on the node that runs the job first.
 */
export const remindOfUnread: ScheduledJobKind = {
  name: 'unread_reminders',
  async happen(server, batch, { app: id }) {
    const { db, dialect } = batch
    const app = server.apps.of(id)
    const now = batch.now()
    const from = await lookedUpTo(db, id)
    const wanted = wantsReminders(app) && from !== undefined
    await forgetReminded(db, id, wanted ? from : now)
    if (!wanted) return forgetLooks(db, id)

    const old = tooLongAgo(app, now)
    // After the interval was made longer, messages already checked can be too young again.
    const posts = await postsToLookAt(server, db, app, { from, to: Math.max(from, old) })
    const reminders = await unreadReminders(server, batch, app, posts)
    for (const { body } of reminders) batch.publishOutbound(id, body)
    const reminded = reminders.flatMap(({ userId, cids }) =>
      cids.map((cid) => ({ app: id, cid, user_id: userId, at: now })),
    )
    await putReminded(db, dialect, reminded)
    await setLookedUpTo(db, id, posts.to)
    await lookAt(batch, app, posts.to < old ? now : now + LOOK_MICROS)
  },
}

/** Starts checking an app if it wants reminders; to be called when its settings may have changed. */
export async function beginReminding({ commit }: Server, app: App) {
  if (!wantsReminders(app)) return
  await commit.write(app.id, [], async (batch) => {
    await beginLooks(batch.db, app.id, tooLongAgo(app, batch.now()))
    await lookAt(batch, app, batch.now() + LOOK_MICROS)
  })
}

/** Messages posted up to this time are old enough for a reminder. */
function tooLongAgo({ settings }: App, now: Micros): Micros {
  return now - settings.reminders_interval * 1_000_000
}

function lookAt(batch: Batch, { id }: App, at: Micros) {
  return scheduleJobOnce(batch, remindOfUnread, { app: id, cid: '' }, '', at)
}

function wantsReminders(app: App): boolean {
  return app.webhooks.some((webhook) => webhook.wants(REMINDER)) && typesWithReminders(app).length > 0
}

function typesWithReminders({ types }: App): string[] {
  return [...types.values()].flatMap(({ name, config }) => (config.reminders && config.read_events ? name : []))
}

/** The posts of one check, oldest first, within its limits. */
async function postsToLookAt(
  server: Server,
  db: Kysely<Tables>,
  app: App,
  { from, to }: { from: Micros; to: Micros },
): Promise<Posts> {
  const { dialect } = server.database
  const types = typesWithReminders(app)
  const posts = await postsBetween(db, dialect, app.id, types, { from, to }, MESSAGES_AT_ONCE + 1)
  const known = await channelsShown(server, db, app.id, [...new Set(posts.map(({ cid }) => cid))])
  const channels = new Map<string, Channel>()
  let members = 0
  for (const [i, { cid, at }] of posts.entries()) {
    const channel = known.get(cid)
    const isMore = channel && !channels.has(cid) && channel.member_count <= app.settings.reminders_max_members
    const count = isMore ? channel.member_count : 0
    // A check ends between two times; when all posts have the same time, that time counts as done.
    if (i === MESSAGES_AT_ONCE || (channels.size > 0 && members + count > MEMBERS_AT_ONCE))
      return { from, to: Math.max(at - 1, posts[0]!.at), channels }
    if (!isMore) continue
    members += count
    channels.set(cid, channel)
  }
  return { from, to, channels }
}
