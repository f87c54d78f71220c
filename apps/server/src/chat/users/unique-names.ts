import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { App } from '../apps/app.ts'
import { holdApp } from '../apps/change-app.ts'
import { usersByNameKeys } from './user-store.ts'

/** Names are compared up to this length: an index cannot hold more. */
const KEY_CHARS = 255

/** The comparison key of a name: without case, spaces and punctuation [messaging.md 3.1]; null when nothing is left. */
export function nameKey(name: string | null): string | null {
  const key = name?.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return key?.slice(0, KEY_CHARS).toWellFormed() || null
}

/** @throws ChatError DuplicateUsernameError (6) — another user in the app, or in one of their teams, has that name */
export async function checkNames(
  { settings }: App,
  batch: Batch,
  users: readonly UserRow[],
  known: ReadonlyMap<string, UserRow>,
) {
  const scope = settings.enforce_unique_usernames
  if (scope === 'no') return
  const renamed = users.filter((user) => {
    const before = known.get(user.id)
    return user.name_key !== null && (user.name_key !== before?.name_key || user.teams_json !== before.teams_json)
  })
  if (renamed.length === 0) return
  // Another node may be assigning the same name to another user.
  await holdApp(batch, users[0]!.app)
  const keys = renamed.map((user) => user.name_key!)
  const others = (await usersByNameKeys(batch.db, batch.dialect, users[0]!.app, keys)).filter(
    (other) => !users.some(({ id }) => id === other.id),
  )
  for (const user of renamed)
    for (const other of [...others, ...users])
      if (other.id !== user.id && other.name_key === user.name_key && (scope === 'app' || shareTeam(user, other)))
        throw new ChatError('DuplicateUsernameError', `the name ${user.name} is taken`)
}

/** Users without any team form one, too. */
function shareTeam(one: UserRow, other: UserRow): boolean {
  const teams = ({ teams_json }: UserRow): string[] => (teams_json === null ? [] : JSON.parse(teams_json))
  const others = teams(other)
  return teams(one).length + others.length === 0 || teams(one).some((team) => others.includes(team))
}
