import type { Stage } from '../../chat/users/deletion-stages.ts'
import { dropAnswersPage, dropPollsPage } from './drop-polls.ts'

/** The user's votes and answers in other users' polls. */
export const userVotes: Stage<string> = async (server, app, { id }, place, save) => {
  const next = await dropAnswersPage(server, app, id, place ?? '')
  return server.commit.write(app, [], (batch) => save(batch, next)).then(() => next)
}

/** The user's polls. */
export const userPolls: Stage<true> = async (server, app, { id }, _, save) => {
  const next = (await dropPollsPage(server, app, id)) || undefined
  return server.commit.write(app, [], (batch) => save(batch, next)).then(() => next)
}
