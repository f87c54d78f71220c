import { type Poll, PollRequest } from '@parley/protocol/polls'
import type { PartialUpdate } from '@parley/protocol/wire'
import type { Caller } from '../../chat/api/caller.ts'
import { type Access, accessAmong } from '../../chat/channels/channel-access.ts'
import { messagesByPoll } from '../../chat/messages/messages-with-poll.ts'
import { checkWords } from '../../chat/messages/text-moderation.ts'
import { inputError } from '../../platform/chat-error.ts'
import { patched } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, PollRow } from '../../platform/database/tables.ts'
import { Validator } from '../../platform/http/validate.ts'
import type { Server } from '../../server.ts'
import { changePoll } from './change-poll.ts'
import { demandManaging, type PollAccess } from './poll-access.ts'
import { contentOf, type PollContent, wordsOf } from './poll-content.ts'
import { deleteVotesFor } from './poll-store.ts'
import { countsOf, optionsOf } from './poll-wire.ts'

const checkRequest = new Validator(PollRequest)

/**
 * Replaces a whole poll; votes for options that stay are kept [POL-16].
 *
 * @throws ChatError NotAllowedError (17); InputError (4) — see `contentOf`
 */
export async function updatePoll(
  server: Server,
  caller: Caller,
  access: PollAccess,
  request: PollRequest,
): Promise<Poll> {
  demandManaging(caller, access, 'update-poll')
  return rewrite(server, caller, access.poll, (stored) => contentOf(request, optionsOf(stored)))
}

/**
 * Changes single fields [POL-17]. Setting nothing but `is_closed` ends the poll for all users [POL-18].
 *
 * @throws ChatError NotAllowedError (17); InputError (4) — see `contentOf`
 */
export async function updatePollPartial(
  server: Server,
  caller: Caller,
  access: PollAccess,
  { set = {}, unset = [] }: PartialUpdate,
): Promise<Poll> {
  const ends = set.is_closed === true && Object.keys(set).length === 1 && unset.length === 0
  demandManaging(caller, access, ends ? 'close-poll' : 'update-poll')
  return rewrite(server, caller, access.poll, (stored) => {
    const request = patched(requestOf(stored), { set, unset }, Number.POSITIVE_INFINITY) as PollRequest
    checkRequest.check(request)
    return contentOf(request, optionsOf(stored))
  })
}

/** The request that gives the poll as it is. */
function requestOf(poll: PollRow): PollRequest {
  return {
    ...JSON.parse(poll.data),
    name: poll.name,
    description: poll.description,
    voting_visibility: poll.voting_visibility,
    enforce_unique_vote: poll.enforce_unique_vote === 1,
    max_votes_allowed: poll.max_votes_allowed,
    allow_user_suggested_options: poll.allow_user_suggested_options === 1,
    allow_answers: poll.allow_answers === 1,
    is_closed: poll.is_closed === 1,
    options: optionsOf(poll),
  }
}

/**
 * Changes a poll's content; the votes for a removed option are deleted.
 *
 * @throws ChatError InputError (4) — anonymous votes would get names [POL-30]
 * @throws ChatError MessageModerationFailed (73) — a block list refuses new text in it
 */
export async function rewrite(
  server: Server,
  caller: Caller,
  poll: PollRow,
  edit: (stored: PollRow) => Partial<PollContent>,
): Promise<Poll> {
  const shown = await messagesByPoll(server.database.read, poll.app, poll.id, undefined)
  const places = await accessAmong(
    server,
    caller,
    shown.map(({ cid }) => cid),
  )
  return changePoll(server, poll, caller.user?.id, async (batch, stored, _at, messages) => {
    const next: PollRow = { ...stored, ...edit(stored) }
    await checkNewWords(server, caller, batch, [...places.values()], messages, wordsOf(stored), wordsOf(next))
    const voted = stored.answers_count > 0 || stored.counts_json !== '{}'
    if (stored.voting_visibility === 'anonymous' && next.voting_visibility === 'public' && voted)
      throw inputError('voting_visibility', 'this poll has anonymous votes, so it stays anonymous')
    next.counts_json = await countsWithout(batch, stored, next)
    return { poll: next, told: [{ type: next.is_closed && !stored.is_closed ? 'poll.closed' : 'poll.updated' }] }
  })
}

/** Moderates the poll's new texts in every channel where a message shows it; texts it had before may stay. */
async function checkNewWords(
  server: Server,
  { server: fromServer, user }: Caller,
  batch: Batch,
  places: readonly Access[],
  messages: readonly MessageRow[],
  before: readonly string[],
  after: readonly string[],
) {
  const fresh = after.filter((text) => !before.includes(text)).join('\n')
  for (const access of places) {
    const verdict = checkWords(server, access, fresh, [], { fromServer })
    const message = messages.find(({ cid }) => cid === access.channel.cid)
    if (verdict && message)
      await server.extensions.textModeration.raiseFlag(
        server,
        batch,
        { ...message, user_id: user?.id ?? message.user_id },
        verdict,
      )
  }
}

async function countsWithout(batch: Batch, stored: PollRow, next: PollRow): Promise<string> {
  const stay = new Set(optionsOf(next).map((option) => option.id))
  const counts = Object.entries(countsOf(stored))
  const gone = counts.flatMap(([id]) => (stay.has(id) ? [] : [id]))
  if (gone.length > 0) await deleteVotesFor(batch.db, batch.dialect, stored.app, gone)
  return JSON.stringify(Object.fromEntries(counts.filter(([id]) => stay.has(id))))
}
