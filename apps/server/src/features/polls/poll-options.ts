import type { PollOption } from '@parley/protocol/polls'
import type { Caller } from '../../chat/api/caller.ts'
import { asStranger, checkNotBanned, isBanned, isShadowed } from '../../chat/bans/banned.ts'
import { type Access, isFrozen } from '../../chat/channels/channel-access.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { PollRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { demandManaging, type PollAccess } from './poll-access.ts'
import { newOption } from './poll-content.ts'
import { optionsOf } from './poll-wire.ts'
import { rewrite } from './update-poll.ts'

/**
 * Adds an option; where the poll allows it, any user who may vote can suggest one [POL-21, POL-33].
 *
 * @throws ChatError NotAllowedError (17); InputError (4) — the poll has ended, or see `newOption`
 */
export async function addOption(
  server: Server,
  caller: Caller,
  { poll, places }: PollAccess,
  said: { text: string },
): Promise<PollOption> {
  const { user } = caller
  const access = { poll, places: user ? await asStrangers(server, user, places) : places }
  if (!maySuggest(caller, access)) demandManaging(caller, access, 'update-poll')
  if (isUnseen(caller, access)) {
    checkOpen(poll)
    return newOption(said, optionsOf(poll))
  }
  return changeOptions(server, caller, poll, (options, stored) => {
    checkOpen(stored)
    const option = newOption(said, options)
    return { options: [...options, option], option }
  })
}

/** @throws ChatError DoesNotExistError (16) — no such option; NotAllowedError (17); InputError (4) — see `newOption` */
export async function updateOption(
  server: Server,
  caller: Caller,
  access: PollAccess,
  { id, ...said }: { id: string; text: string },
): Promise<PollOption> {
  demandManaging(caller, access, 'update-poll')
  return changeOptions(server, caller, access.poll, (options) => {
    const was = optionIn(options, id)
    const others = options.filter((option) => option !== was)
    const option = newOption(said, others, id)
    return { options: options.map((other) => (other === was ? option : other)), option }
  })
}

/**
 * Removes an option and the votes for it [POL-23].
 *
 * @throws ChatError DoesNotExistError (16) — no such option; NotAllowedError (17)
 */
export async function removeOption(server: Server, caller: Caller, access: PollAccess, id: string): Promise<void> {
  demandManaging(caller, access, 'update-poll')
  await changeOptions(server, caller, access.poll, (options) => {
    const option = optionIn(options, id)
    return { options: options.filter((other) => other !== option), option }
  })
}

/** @throws ChatError DoesNotExistError (16) */
export function optionIn(options: readonly PollOption[], id: string): PollOption {
  const option = options.find((option) => option.id === id)
  if (!option) throw new ChatError('DoesNotExistError', `Can't find poll option with id ${id}`)
  return option
}

/** @throws ChatError InputError (4) — the poll has ended: it takes no votes and no suggestions [POL-5] */
export function checkOpen({ is_closed }: PollRow) {
  if (is_closed) throw new ChatError('InputError', 'This poll has ended.')
}

function maySuggest({ user }: Caller, { poll, places }: PollAccess): boolean {
  if (!poll.allow_user_suggested_options) return false
  checkNotBanned(user)
  return places.some((place) => {
    const { config, member, user, can } = place
    return config.polls && can('cast-vote') && !isFrozen(place) && !member?.banned && !(user && isBanned(user))
  })
}

/** Whether a suggestion is hidden: a poll is the same for all readers, so the option is not stored [MOD-17]. */
function isUnseen({ user }: Caller, { poll, places }: PollAccess): boolean {
  return user?.id !== poll.created_by && places.some((place) => place.user && isShadowed(place.user, place))
}

/** The places of a poll, each with the user that `isBanned` and `isShadowed` need there. */
function asStrangers(server: Server, user: UserRow, places: readonly Access[]): Promise<Access[]> {
  return Promise.all(places.map(async (place) => ({ ...place, user: await asStranger(server, user, place) })))
}

async function changeOptions(
  server: Server,
  caller: Caller,
  poll: PollRow,
  edit: (options: readonly PollOption[], stored: PollRow) => { options: readonly PollOption[]; option: PollOption },
): Promise<PollOption> {
  let changed: PollOption | undefined
  await rewrite(server, caller, poll, (stored) => {
    const { options, option } = edit(optionsOf(stored), stored)
    changed = option
    return { options_json: JSON.stringify(options) }
  })
  return changed!
}
