/**
 * The extension points of the core: where features add to channels, messages and users. The core knows these points, and
 * no feature. Every contribution works on a page, never on a row, so that the number of queries stays constant; where no
 * feature adds anything, nothing runs.
 */
import type { UpdateAppRequest } from '@parley/protocol/apps'
import type { ChannelState } from '@parley/protocol/channels'
import type { DeviceRequest } from '@parley/protocol/devices'
import type { Message, MessageRequest } from '@parley/protocol/messages'
import type { OwnUser } from '@parley/protocol/users'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Batch } from '../platform/database/batch.ts'
import type { MessageRow, Tables, UserRow } from '../platform/database/tables.ts'
import type { Micros } from '../platform/micros.ts'
import type { Server } from '../server.ts'
import type { App } from './apps/app.ts'
import type { Change } from './apps/change-app.ts'
import type { Access } from './channels/channel-access.ts'
import type { TextModeration } from './messages/text-moderation.ts'
import type { UserDeletionExtension } from './users/deletion-stages.ts'
import type { OwnedData } from './users/user-owned-data.ts'
import type { UserSummaries } from './users/user-summaries.ts'

export interface Extensions {
  apps: readonly AppExtension[]
  channels: readonly ChannelExtension[]
  messages: readonly MessageExtension[]
  users: readonly UserExtension[]
  connect: readonly ConnectExtension[]
  userDeletion: readonly UserDeletionExtension[]
  textModeration: TextModeration
}

export interface AppExtension {
  /** Fields of an app as its server sees it. */
  shown?(app: App): object
  /** Joins a change of an app's settings. */
  update?(change: Change, request: UpdateAppRequest): Promise<void>
}

export interface ChannelExtension {
  /** What a user keeps in channels. */
  own?: {
    /** The table that holds it: users without a row there are not asked for. */
    table: OwnedData
    read(server: Server, app: string, userId: string, cids: readonly string[]): Promise<OwnInChannels>
  }
  /** Fields of the state of channels, by cid, as far as these accesses show them. */
  state?(
    server: Server,
    app: string,
    accesses: ReadonlyMap<string, Access>,
  ): Promise<ReadonlyMap<string, Partial<ChannelState>>>
  /** Deletes what was kept in a channel that is erased. */
  erase?(db: Kysely<Tables>, app: string, cid: string): Promise<unknown>
}

export interface OwnInChannels {
  /** Fields of the channels' states, by cid. */
  fields?: ReadonlyMap<string, Partial<ChannelState>>
  /** The ids of messages to which fields are added for this user alone. */
  messageIds?: readonly string[]
}

export interface MessageExtension {
  /**
   * Looks at a message before it is stored.
   *
   * @throws ChatError — it may not be sent
   */
  check?(server: Server, access: Access, request: MessageRequest): void
  /** Joins the write in which a message gets its place in the channel. */
  posted?(batch: Batch, row: MessageRow): void
  /** Joins the write in which the author sends a message, also one that waits to be let out. */
  sent?(server: Server, batch: Batch, row: MessageRow): void
  /** Fields of these messages as one user sees them, or as an event shows them, where `viewerId` is undefined. */
  fields?(
    server: Server,
    app: string,
    rows: readonly MessageRow[],
    viewerId: string | undefined,
    db: Kysely<Tables>,
  ): Promise<MessageFields>
  /** Fields that one user alone sees of these messages, by message id. */
  own?(
    server: Server,
    app: string,
    userId: string,
    rows: readonly MessageRow[],
  ): Promise<ReadonlyMap<string, Partial<Message>>>
  /** Deletes what was kept about messages whose content is erased. */
  erase?(batch: Batch, app: string, ids: readonly string[]): Promise<unknown>
  /** Deletes a page of it for the messages of a channel from before a time; false after the last page. */
  erasePage?(batch: Batch, app: string, cid: string, before: Micros): Promise<boolean>
  /** Deletes all of it for the messages of a user, everywhere or in one channel. */
  eraseOfUser?(server: Server, app: string, userId: string, cid: string | undefined): Promise<unknown>
}

export interface MessageFields {
  /** The users that the fields name. */
  userIds: readonly string[]
  of(row: MessageRow, userSummaries: UserSummaries): Partial<Message>
}

/** Joins a login: what a client brings along with it. */
export type ConnectExtension = (
  server: Server,
  user: UserRow,
  request: { device?: Static<typeof DeviceRequest> },
) => Promise<void>

/** Fields of users, as the app's server sees them, and each user themselves. */
export interface UserExtension {
  /** The table that holds them: for users without a row there, they are `absent`. */
  table: OwnedData
  absent: Partial<OwnUser>
  /** Only the user themselves sees them. */
  isPrivate?: true
  read(
    server: Server,
    app: string,
    ids: readonly string[],
    db: Kysely<Tables>,
  ): Promise<(id: string) => Partial<OwnUser>>
}
