/**
 * How long users take to answer, for apps that want their users to know [administration.md 1.2]. Nothing is noted when
 * a message is sent: once a minute somebody reads what was posted since, and what stood before it.
 */
import type { App } from '../apps/app.ts'
import type { Batch } from '../database/batch.ts'
import type { UserRow } from '../database/tables.ts'
import { answersIn } from '../messages/answers-in.ts'
import type { Micros } from '../micros.ts'
import { type ScheduledJobKind, scheduleJobOnce } from '../scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../server.ts'
import { postsBetween } from '../sync/posts-between.ts'
import { answerers, setAnswers, usersByIds } from './user-store.ts'

/** How often an app is looked at. */
const LOOK_MICROS = 60_000_000
/** What was posted may be stored this much later. */
const LATENESS_MICROS = 10_000_000
/** Whoever says something after a longer silence begins a new conversation. */
const ANSWER_MICROS_MAX = 24 * 3_600_000_000
/** Messages one look goes through, and users it forgets about; the rest comes with the next look, a moment later. */
const AT_ONCE = 500

/** One look at an app; when it is due says up to where others came. */
export const timeAnswers: ScheduledJobKind = {
  name: 'response_times',
  async happen(server, batch, { app: id, at }) {
    const app = server.apps.of(id)
    if (!app.settings.user_response_time_enabled) return forgetAnswers(batch, app)
    const from = at - LOOK_MICROS - LATENESS_MICROS
    const now = batch.now() - LATENESS_MICROS
    const posts = await postsBetween(batch.db, batch.dialect, id, [...app.types.keys()], { from, to: now }, AT_ONCE)
    // A full page ends between two moments; should all of it be of the same one, that one is over.
    const to = posts.length < AT_ONCE ? now : Math.max(posts.at(-1)!.at - 1, posts[0]!.at)
    await noteAnswers(batch, app, [...new Set(posts.map(({ cid }) => cid))], { from, to })
    await lookAt(batch, app, to + LOOK_MICROS + LATENESS_MICROS)
  },
}

/** Looks at an app from now on, if it wants to know; to be called when its rules may have changed. */
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

/** What an app does not want to know any more is forgotten, so that it begins anew when it is asked for again. */
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
