import { sql } from 'kysely'
import { MODERATOR } from '../../app/chat/chat-permissions.server.ts'
import type { ChatPerson, ChatService } from '../../app/chat/chat-service.server.ts'
import type { Database } from '../../app/database.server.ts'
import { lockFounding } from '../../app/organizations/found-organization.server.ts'
import { nameKey } from '../../app/people/name-key.ts'
import { fullName } from '../../app/people/person.ts'
import { hasPeople } from '../../app/people/person-store.server.ts'
import type { Product } from '../../app/product.server.ts'
import { type Conversation, demoConversations, type Line } from './conversations.ts'
import { castMember, type DemoPerson, demoOrganizations, demoPassword, demoPeople } from './people.ts'
import { pictures } from './pictures.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The progress of the demo, in the metadata of its organizations. */
const withoutChats = JSON.stringify({ demo: 'people' })
const complete = JSON.stringify({ demo: 'complete' })

/** Rows in one statement, and ids in one call. */
const PART = 50
/** More at once would only wait for each other. */
const CONVERSATIONS_AT_ONCE = 4
/** Nobody waits for these calls, and a start on a busy machine must not fail for one that takes long. */
const PATIENT = { timeout: 60_000 }

/**
 * Fills an empty product with people, and the chat server with their conversations.
 *
 * Both steps can be repeated: people are created all at once or not at all, and every channel and message has a fixed
 * id, so a start after a crash continues where the last one ended.
 *
 * @returns whether this product is a demo, now or from before
 */
export async function seedDemo(product: Product, now: Date): Promise<boolean> {
  const { database, chat } = product
  if (!(await hasPeople(database.kysely))) await savePeople(product, now)
  const begun = await demoBegun(database)
  if (!begun) return false
  if (chat && !begun.complete) {
    await saveConversations(chat, begun.at)
    await database.kysely
      .updateTable('organization')
      .set({ metadata: complete })
      .where('metadata', '=', withoutChats)
      .execute()
  }
  return true
}

async function demoBegun({ kysely }: Database): Promise<{ at: Date; complete: boolean } | undefined> {
  const row = await kysely
    .selectFrom('organization')
    .select(['createdAt', 'metadata'])
    .where('metadata', 'in', [withoutChats, complete])
    // One incomplete organization makes the whole demo incomplete.
    .orderBy(sql`metadata = ${complete}`)
    .limit(1)
    .executeTakeFirst()
  return row && { at: new Date(row.createdAt), complete: row.metadata === complete }
}

async function savePeople({ auth, database }: Product, now: Date): Promise<void> {
  // Hashing is slow on purpose; one hash serves all, because they have the same password.
  const password = await (await auth.$context).password.hash(demoPassword)
  const people = demoPeople()
  const dates = { createdAt: now, updatedAt: now }

  await database.kysely.transaction().execute(async (transaction) => {
    // Another web app may do the same, and a first owner may sign up.
    await lockFounding(database, transaction)
    if (await hasPeople(transaction)) return
    const organizations = demoOrganizations.map(({ id, name }) => ({
      id,
      name,
      slug: id,
      logo: null,
      metadata: withoutChats,
      createdAt: now,
    }))
    const users = people.map(({ memberships, ...person }) => ({
      ...person,
      ...dates,
      name: fullName(person),
      nameKey: nameKey(person.familyName, person.givenName),
      emailVerified: true,
      theme: 'system',
    }))
    const accounts = people.map(({ id }) => ({
      ...dates,
      id: `account-${id}`,
      accountId: id,
      providerId: 'credential',
      userId: id,
      password,
    }))
    const members = people.flatMap(({ id, memberships, chatAccess }, number) =>
      memberships.map(({ organizationId, role }) => ({
        id: `${organizationId}-${id}`,
        organizationId,
        userId: id,
        role,
        chatAccess,
        createdAt: new Date(now.getTime() - (20 + ((number * 37) % 700)) * DAY_MS),
      })),
    )
    await transaction.insertInto('organization').values(organizations).execute()
    for (const part of parts(users)) await transaction.insertInto('user').values(part).execute()
    for (const part of parts(accounts)) await transaction.insertInto('account').values(part).execute()
    for (const part of parts(members)) await transaction.insertInto('member').values(part).execute()
  })
}

async function saveConversations(chat: ChatService, demoBeganAt: Date): Promise<void> {
  await chat.savePeople(demoPeople().map(chatPersonOf), PATIENT)
  const waiting = demoConversations().values()
  const saveNext = async () => {
    for (const conversation of waiting) await saveConversation(chat, conversation, demoBeganAt)
  }
  await Promise.all(Array.from({ length: CONVERSATIONS_AT_ONCE }, saveNext))
}

type DemoPoll = NonNullable<Line['poll']>
type Shown = Pick<Line, 'pictures' | 'file'>
type Client = ReturnType<ChatService['newClient']>
type Channel = ReturnType<Client['channel']>

async function saveConversation(chat: ChatService, conversation: Conversation, demoBeganAt: Date): Promise<void> {
  const [creator = '', ...others] = conversation.members.map((name) => castMember(name).id)
  const client = chat.newClient(PATIENT)
  const { name } = conversation
  const channel = name
    ? client.channel('messaging', `demo-${conversation.id}`, {
        name,
        members: [{ user_id: creator, channel_role: MODERATOR }, ...others],
        created_by_id: creator,
      })
    : client.channel('messaging', { members: [creator, ...others], created_by_id: creator })
  await channel.create()
  const begin = await linesSaid(channel, conversation)

  const newest = new Date(channel.data?.last_message_at ?? 0)
  const times = timesOf(conversation, demoBeganAt)
  // The server requires ascending times in a channel, so lines are sent one by one.
  for (const [number, line] of conversation.lines.entries()) {
    if (number < begin) continue
    const at = times[number]!
    // If users have sent messages since, the rest is sent with the present time, because times in a channel only
    // ascend.
    await say(chat, channel, conversation, number, at > newest ? at : undefined)
    await react(channel, messageId(conversation, number), line)
    if (number === conversation.lines.length - 1) await markWhatIsRead(channel, conversation)
  }
}

async function markWhatIsRead(channel: Channel, conversation: Conversation): Promise<void> {
  for (const name of conversation.members) {
    const user_id = castMember(name).id
    const first = unreadFrom(conversation, name)
    if (first === conversation.lines.length) await channel.markRead({ user_id })
    // The lines are older than this moment, so a read mark of now would be after them.
    else await channel.markUnread({ user_id, message_id: messageId(conversation, first) })
  }
}

/** The number of lines that an earlier, interrupted start has sent. Lines are sent in order. */
async function linesSaid(channel: Channel, { id, lines }: Conversation): Promise<number> {
  const said = new Set<string>()
  for (const some of parts(lines.map((_, number) => messageId({ id }, number)))) {
    const { messages } = await channel.getMessagesById(some)
    if (messages.length === 0) break
    for (const message of messages) said.add(message.id)
  }
  return said.size
}

async function say(chat: ChatService, channel: Channel, conversation: Conversation, number: number, at?: Date) {
  const { from, text, quotes, repliesTo, poll, isPinned, ...shown } = conversation.lines[number]!
  const id = messageId(conversation, number)
  const user_id = castMember(from).id
  const client = chat.newClient(PATIENT)
  const options = poll ? await optionsOfPoll(client, id, poll, user_id) : []
  await channel.sendMessage({
    id,
    text,
    user_id,
    attachments: await attachmentsOf(channel, shown, user_id),
    ...(at && { created_at: at.toISOString() }),
    ...(quotes === undefined ? {} : { quoted_message_id: messageId(conversation, quotes) }),
    ...(repliesTo === undefined ? {} : { parent_id: messageId(conversation, repliesTo) }),
    ...(poll && { poll_id: id }),
    ...(isPinned && { pinned: true }),
  })
  for (const [index, { id: option_id }] of options.entries())
    for (const name of poll!.options[index]!.votes)
      await client.castPollVote(id, id, { option_id }, { user_id: castMember(name).id })
}

/** Its poll has the id of the message; an interrupted start may have created it already. */
async function optionsOfPoll(client: Client, id: string, { name, options }: DemoPoll, user_id: string) {
  const { polls } = await client.queryPolls({ id })
  const texts = options.map(({ text }) => ({ text }))
  const request = { id, name, options: texts, enforce_unique_vote: true, max_votes_allowed: 1, user_id }
  return (polls[0] ?? (await client.createPoll(request)).poll).options
}

async function attachmentsOf(channel: Channel, { pictures: names = [], file }: Shown, id: string) {
  const images = names.map(async (name) => {
    const { default: sharp } = await import('sharp')
    const bytes = await sharp(Buffer.from(pictures[name]())).jpeg({ quality: 82 }).toBuffer()
    const { file: image_url, ...sent } = await channel.sendImage(bytes, name, 'image/jpeg', { id })
    const { original_width, original_height } = sent
    return { type: 'image', image_url, fallback: name, original_width, original_height, file_size: bytes.length }
  })
  if (!file) return Promise.all(images)
  const bytes = Buffer.from(file.text)
  const { file: asset_url } = await channel.sendFile(bytes, file.name, 'text/csv', { id })
  const card = { type: 'file', asset_url, title: file.name, mime_type: 'text/csv', file_size: bytes.length }
  return [...(await Promise.all(images)), card]
}

async function react(channel: Channel, id: string, { reactions = {} }: Line): Promise<void> {
  for (const [type, names] of Object.entries(reactions))
    for (const name of names) await channel.sendReaction(id, { type, user_id: castMember(name).id })
}

/** The number of the first line that this person has not read; people who are not named have read all. */
function unreadFrom({ lines, unread }: Conversation, name: DemoName): number {
  return lines.length - (unread?.[name] ?? 0)
}

type DemoName = Conversation['members'][number]

/** The time of each line, counted back from the last one. */
function timesOf({ lines, endedMinutesAgo }: Conversation, demoBeganAt: Date): Date[] {
  const gaps = lines.map(({ after = 1 }) => after)
  let at = demoBeganAt.getTime() - endedMinutesAgo * MINUTE_MS
  const times: Date[] = []
  for (let number = lines.length - 1; number >= 0; number--) {
    times[number] = new Date(at)
    at -= gaps[number]! * MINUTE_MS
  }
  return times
}

function messageId({ id }: Pick<Conversation, 'id'>, number: number): string {
  return `demo-${id}-${number}`
}

function chatPersonOf(person: DemoPerson): ChatPerson {
  const organizationIds = person.memberships.map(({ organizationId }) => organizationId)
  const names = organizationIds.map((wanted) => demoOrganizations.find(({ id }) => id === wanted)!.name)
  return { ...person, organization: names.join(', '), organizationIds }
}

function* parts<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += PART) yield rows.slice(start, start + PART)
}
