import { API_KEY } from './app.ts'
import type { Parley } from './target.ts'

/** The user whose channel list is queried. */
export const reader = 'reader'

const OTHERS = 500
/** Of each channel: the reader and four others. */
const MEMBERS = 5
/** Times in microseconds. */
const BEGIN = 1_700_000_000_000_000
const STEP = 1_000
/** Unread messages of the reader in every other channel. */
const UNREAD = 3

const sentence =
  "'Message ' || i || ' of many. It is as long as people write, give or take a few words, and means nothing.'"

export interface SeedOptions {
  /** Microseconds from one message to the next; a millisecond by default. */
  step?: number
  /** The text of message number `i`, in SQL. */
  text?: string
}

/**
 * Writes channels full of messages into Parley's database, bypassing the API: a million messages take a minute this
 * way. Consecutive messages are in different channels, as in production, so that a channel's messages are spread over
 * the file.
 */
export async function seed(
  parley: Parley,
  channels: number,
  messages: number,
  { step = STEP, text = sentence }: SeedOptions = {},
) {
  const timeOf = (index: string) => `(${BEGIN} + cast(${index} as bigint) * ${step})`
  await parley.inDatabase(`insert into users (app, id, role, name, language, invisible, data, created_at, updated_at)
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${OTHERS})
    select '${API_KEY}', case when i = ${OTHERS} then '${reader}' else 'other-' || i end, 'user', 'Member ' || i, '', 0, '{}',
      ${BEGIN}, ${BEGIN} from n`)

  const last = `(c + (${messages} - 1 - c) / ${channels} * ${channels})`
  const counted = `((${messages} - 1 - c) / ${channels} + 1)`
  await parley.inDatabase(`insert into channels (app, cid, type, id, created_by, name, frozen, disabled, cooldown, data,
      created_at, updated_at, last_message_at, activity_at, member_count, seq, counted, event_at)
    with recursive n (c) as (select 0 union all select c + 1 from n where c < ${channels - 1})
    select '${API_KEY}', 'messaging:seed-' || c, 'messaging', 'seed-' || c, '${reader}', 'Channel ' || c, 0, 0, 0, '{}',
      ${BEGIN}, ${BEGIN}, ${timeOf(last)}, ${timeOf(last)}, ${MEMBERS}, 0, ${counted}, ${timeOf(last)} from n`)

  const memberOf = (member: string) =>
    `case when ${member} = 0 then '${reader}' else 'other-' || ((c + ${member} * 101) % ${OTHERS}) end`
  await parley.inDatabase(`insert into members (app, cid, user_id, channel_role, status, data, created_at, updated_at,
      banned, shadow_banned, hidden)
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${channels * MEMBERS - 1})
    select '${API_KEY}', 'messaging:seed-' || c, ${memberOf('k')}, 'channel_member', 'member', '{}', ${BEGIN}, ${BEGIN}, 0, 0, 0
    from (select i / ${MEMBERS} as c, i % ${MEMBERS} as k from n) m`)
  await parley.inDatabase(`insert into reads (app, cid, user_id, last_read, last_read_message_id, ordinal, own_after)
    select m.app, m.cid, m.user_id, c.event_at, null,
      case when m.user_id = '${reader}' and c.last_message_at % ${2 * step} = 0 and c.counted > ${UNREAD}
        then c.counted - ${UNREAD} else c.counted end, 0
    from members m join channels c on c.app = m.app and c.cid = m.cid`)

  // Random-looking ids, as clients generate them: an odd factor visits every number below 2^32 once.
  await parley.inDatabase(`insert into messages (app, id, cid, user_id, type, text, created_at, updated_at, ordinal, counted,
      silent, show_in_channel, reply_count, deleted_reply_count, data)
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${messages - 1})
    select '${API_KEY}', 'seed-' || (i * 2654435761 % 4294967296), 'messaging:seed-' || c, ${memberOf('k')}, 'regular',
      ${text},
      ${timeOf('i')}, ${timeOf('i')}, i / ${channels} + 1, 1, 0, 0, 0, 0, '{}'
    from (select i, i % ${channels} as c, i / ${channels} % ${MEMBERS} as k from n) m`)

  // The maintenance that a database in use has already had.
  for (const statement of parley.database === 'sqlite' ? ['pragma wal_checkpoint(truncate)'] : ['vacuum analyze'])
    await parley.inDatabase(statement)
}
