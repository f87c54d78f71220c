/**
 * How long users take to reply, for apps that enable it [administration.md 1.2]. Sending a message records nothing:
 * once a minute a job reads the messages posted since, and those before them.
 */

import { postsBetween } from '../../features/sync/posts-between.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { type ScheduledJobKind, scheduleJobOnce } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { answersIn } from '../messages/answers-in.ts'
import { answerers, setAnswers, usersByIds } from './user-store.ts'

/** How often the job runs per app. */
const LOOK_MICROS = 60_000_000
/** A message may be stored this much later than it was posted. */
const LATENESS_MICROS = 10_000_000
/** A message after a longer silence starts a new conversation. */
const ANSWER_MICROS_MAX = 24 * 3_600_000_000
/** Messages read, and users cleared, per run; the rest follows with the next run, a moment later. */
const AT_ONCE = 500

/** One run for an app; its scheduled time encodes how far earlier runs came. */
export const timeAnswers: ScheduledJobKind = {
  name: 'response_times',
  async happen(server, batch, { app: id, at }) {
    const app = server.apps.of(id)
    if (!app.settings.user_response_time_enabled) return forgetAnswers(batch, app)
    const from = at - LOOK_MICROS - LATENESS_MICROS
    const now = batch.now() - LATENESS_MICROS
    const posts = await postsBetween(batch.db, batch.dialect, id, [...app.types.keys()], { from, to: now }, AT_ONCE)
    // A full page ends between two times; if the whole page has the same time, that time is done.
    const to = posts.length < AT_ONCE ? now : Math.max(posts.at(-1)!.at - 1, posts[0]!.at)
    await noteAnswers(batch, app, [...new Set(posts.map(({ cid }) => cid))], { from, to })
    await lookAt(batch, app, to + LOOK_MICROS + LATENESS_MICROS)
  },
}

/** Starts the job for an app that enables it; call it when the app's rules may have changed. */
export async function beginTimingAnswers({ commit }: Server, app: App): Promise<void> {
  if (!app.settings.user_response_time_enabled) return
  await commit.write(app.id, [], (batch) => lookAt(batch, app, batch.now() + LOOK_MICROS + LATENESS_MICROS))
}

function lookAt(batch: Batch, { id }: App, at: Micros) {
  return scheduleJobOnce(batch, timeAnswers, { app: id, cid: '' }, '', at)
}

async function noteAnswers(batch: Batch, { id }: App, cids: readonly string[], when: { from: Micros; to: Micros }) {
  const answers = (await answersIn(batch, id, cids, when)).filter(({ took }) => took <= ANSWER_MICROS_MAX)
  const byUser = Map.groupBy(answers, ({ user_id }) => user_id)
  const users = await usersByIds(batch.db, batch.dialect, id, [...byUser.keys()])
  const took = (user: UserRow) => byUser.get(user.id)!.reduce((sum, answer) => sum + answer.took, user.answer_micros)
  await put(
    batch,
    users.map((user) => ({ ...user, answers: user.answers + byUser.get(user.id)!.length, answer_micros: took(user) })),
  )
}

/** Clears the data of an app that disabled it, so that it starts fresh when enabled again. */
async function forgetAnswers(batch: Batch, app: App) {
  const users = await answerers(batch.db, app.id, AT_ONCE)
  await put(
    batch,
    users.map((user) => ({ ...user, answers: 0, answer_micros: 0 })),
  )
  if (users.length === AT_ONCE) await lookAt(batch, app, batch.now())
}

async function put(batch: Batch, users: readonly UserRow[]) {
  await setAnswers(batch.db, batch.dialect, users)
  for (const { app, id } of users) batch.changedUsers.add(`${app}|${id}`)
}
