/**
 * The requests for starting a chat, checked in the same way by the modal and by the server [NEW-15…30, NEW-53]. No I/O,
 * so both sides can import it.
 */
import { isCid } from '@parley/protocol/cid'
import { graphemeCount } from '../people/graphemes.ts'

/** A group has at least this many people besides its creator [NEW-26]. */
export const MINIMUM_SELECTED = 2

/** Counted in graphemes: a family emoji is one [NEW-24, NEW-30]. */
export const LONGEST_GROUP_NAME = 255

/** The most members of a new channel, its creator included. */
export const MOST_MEMBERS = 100

export interface SelectedUser {
  userId: string
  orgId: string
}

export interface DirectChat {
  type: 'direct'
  userId: string
  orgId: string
  firstMessage?: string
  firstMessageImageUrl?: string
}

export interface GroupChat {
  type: 'group'
  groupName: string
  selectedUsers: SelectedUser[]
  firstMessage?: string
  firstMessageImageUrl?: string
}

/** The reason why a chat cannot be started: a catalogue key, with the number it may need. */
export type StartChatError =
  | { reason: 'startChat.payload' }
  | { reason: 'startChat.person' }
  | { reason: 'startChat.twice' }
  | { reason: 'startChat.self' }
  | { reason: 'startChat.tooOften' }
  | { reason: 'addMembers.forbidden' }
  | { reason: 'addMembers.tooOften' }
  | { reason: 'changeGroup.forbidden' }
  | { reason: 'changeGroup.founder' }
  | { reason: 'changeGroup.tooOften' }
  | { reason: 'startChat.image' }
  | GroupError
  | FirstMessageError

/** What a new group lacks; the page shows it before it sends anything. */
export type GroupError =
  | { reason: 'group.nameRequired' }
  | { reason: 'group.nameTooLong'; max: number }
  | { reason: 'group.minimum'; min: number }
  | { reason: 'group.maximum'; max: number }

/** Why a first message cannot be sent, or was not sent. */
export type FirstMessageError =
  | { reason: 'firstMessage.tooLong'; max: number }
  | { reason: 'firstMessage.command'; command: string }
  | { reason: 'firstMessage.moderated' }
  | { reason: 'firstMessage.notSent' }

export type Checked<Value> = { ok: true; value: Value } | { ok: false; error: StartChatError }

/** The error in a group's name, if any. White space alone is not a name [NEW-23, NEW-30]. */
export function groupNameError(name: string): GroupError | undefined {
  if (name.trim() === '') return { reason: 'group.nameRequired' }
  if (graphemeCount(name.trim()) > LONGEST_GROUP_NAME) return { reason: 'group.nameTooLong', max: LONGEST_GROUP_NAME }
  return undefined
}

/** The error in the number of selected people, if any [NEW-25]. */
export function selectionError(count: number): GroupError | undefined {
  if (count < MINIMUM_SELECTED) return { reason: 'group.minimum', min: MINIMUM_SELECTED }
  if (count > MOST_MEMBERS - 1) return { reason: 'group.maximum', max: MOST_MEMBERS - 1 }
  return undefined
}

/**
 * Reads the form data of `POST /chat/api/startNewChat` [NEW-39].
 *
 * @param chatUrl  the chat server's address, which hosts uploaded pictures
 */
export function readStartChat(form: FormData, chatUrl: string): Checked<DirectChat | GroupChat> {
  const imageUrl = text(form, 'firstMessageImageUrl')
  if (imageUrl && !isPictureAddress(imageUrl, chatUrl)) return refused({ reason: 'startChat.image' })
  const first = { firstMessage: text(form, 'firstMessage'), firstMessageImageUrl: imageUrl }

  switch (form.get('type')) {
    case 'direct': {
      const [userId, orgId] = [text(form, 'userId'), text(form, 'orgId')]
      if (!userId || !orgId) return refused({ reason: 'startChat.payload' })
      return { ok: true, value: { type: 'direct', userId, orgId, ...first } }
    }
    case 'group': {
      const groupName = String(form.get('groupName') ?? '')
      const selectedUsers = readSelectedUsers(form.get('selectedUsers'))
      if (!selectedUsers) return refused({ reason: 'startChat.payload' })
      const error = groupNameError(groupName) ?? selectionError(selectedUsers.length)
      if (error) return refused(error)
      if (new Set(selectedUsers.map(({ userId }) => userId)).size < selectedUsers.length)
        return refused({ reason: 'startChat.twice' })
      return { ok: true, value: { type: 'group', groupName: groupName.trim(), selectedUsers, ...first } }
    }
    default:
      return refused({ reason: 'startChat.payload' })
  }
}

export interface AddMembersRequest {
  /** The cid of the group. */
  channelId: string
  selectedUsers: SelectedUser[]
  /** They are invited, and join once they accept. */
  ask: boolean
}

/** Reads the form data of `POST /chat/api/addMembers`. */
export function readAddMembers(form: FormData): Checked<AddMembersRequest> {
  const channelId = text(form, 'channelId')
  const selectedUsers = readSelectedUsers(form.get('selectedUsers'))
  if (!channelId || !isCid(channelId) || !selectedUsers?.length) return refused({ reason: 'startChat.payload' })
  if (selectedUsers.length > MOST_MEMBERS) return refused({ reason: 'group.maximum', max: MOST_MEMBERS })
  return { ok: true, value: { channelId, selectedUsers, ask: text(form, 'ask') === 'true' } }
}

/** A moderator's changes to a group. */
export type ChangeGroupRequest = { channelId: string } & (
  | { do: 'rename'; name: string }
  /** null removes the picture */
  | { do: 'picture'; image: string | null }
  | { do: 'promote' | 'demote' | 'remove'; userId: string }
  | { do: 'delete' }
)

/**
 * Reads the form data of `POST /chat/api/changeGroup`.
 *
 * @param chatUrl  the chat server's address, which hosts uploaded pictures
 */
export function readChangeGroup(form: FormData, chatUrl: string): Checked<ChangeGroupRequest> {
  const incomplete = refused({ reason: 'startChat.payload' })
  const channelId = text(form, 'channelId')
  if (!channelId || !isCid(channelId)) return incomplete
  const what = form.get('do')
  switch (what) {
    case 'rename': {
      const name = String(form.get('name') ?? '')
      const error = groupNameError(name)
      return error ? refused(error) : { ok: true, value: { channelId, do: what, name: name.trim() } }
    }
    case 'picture': {
      const image = text(form, 'image') ?? null
      if (image !== null && !isPictureAddress(image, chatUrl)) return refused({ reason: 'startChat.image' })
      return { ok: true, value: { channelId, do: what, image } }
    }
    case 'promote':
    case 'demote':
    case 'remove': {
      const userId = form.get('userId')
      return isId(userId) ? { ok: true, value: { channelId, do: what, userId } } : incomplete
    }
    case 'delete':
      return { ok: true, value: { channelId, do: what } }
    default:
      return incomplete
  }
}

/** A JSON list of pairs of user and organization; undefined when it is anything else [NEW-19, NEW-53]. */
function readSelectedUsers(value: unknown): SelectedUser[] | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const pairs: unknown = JSON.parse(value)
    if (!Array.isArray(pairs) || !pairs.every(isPair)) return undefined
    return pairs.map(({ userId, orgId }) => ({ userId, orgId }))
  } catch {
    return undefined
  }
}

function isPair(value: unknown): value is SelectedUser {
  if (typeof value !== 'object' || value === null) return false
  const { userId, orgId } = value as Partial<Record<keyof SelectedUser, unknown>>
  return isId(userId) && isId(orgId)
}

/** JSON can contain NUL; no id does. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0')
}

function isPictureAddress(value: string, chatUrl: string): boolean {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'https:' || url.origin === new URL(chatUrl).origin)
}

function text(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function refused(error: StartChatError): { ok: false; error: StartChatError } {
  return { ok: false, error }
}
