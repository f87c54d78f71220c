import type { Endpoint } from './chat/api/endpoint.ts'
import type { AddRoutes } from './chat/api/http-server.ts'
import type {
  AppExtension,
  ChannelExtension,
  ConnectExtension,
  Extensions,
  MessageExtension,
  UserExtension,
} from './chat/extensions.ts'
import { noTextModeration, type TextModeration } from './chat/messages/text-moderation.ts'
import type { UserDeletionExtension } from './chat/users/deletion-stages.ts'
import type { ScheduledJobKind } from './platform/scheduled-jobs/scheduled-jobs.ts'
import type { TaskKind } from './platform/tasks/tasks.ts'
import type { Server } from './server.ts'

/** What a folder adds to the server. `features.ts` lists all of them. */
export interface FeatureParts {
  endpoints?: readonly Endpoint[]
  /** Addresses that are not calls of the API, such as files and pictures. */
  routes?: AddRoutes
  /** Work that goes on after a call was answered. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of task has its own input and progress.
  tasks?: readonly TaskKind<any, any>[]
  /** What happens at a set time. */
  scheduledJobs?: readonly ScheduledJobKind[]
  /** What is done again and again while the server runs. */
  maintenance?: readonly Maintenance[]
  apps?: AppExtension
  channels?: ChannelExtension
  messages?: MessageExtension
  users?: readonly UserExtension[]
  connect?: ConnectExtension
  userDeletion?: UserDeletionExtension
  /** One feature has it at most. */
  textModeration?: TextModeration
}

export interface Maintenance {
  /** Milliseconds from one run to the next. */
  everyMs: number
  run: (server: Server) => unknown
  /** Runs one at a time, and the server ends after the one under way. */
  isAwaited?: true
}

export interface Feature extends FeatureParts {
  name: string
}

export const HOUR_MS = 3_600_000

export function extensionsOf(features: readonly Feature[]): Extensions {
  return {
    apps: features.flatMap(({ apps }) => apps ?? []),
    channels: features.flatMap(({ channels }) => channels ?? []),
    messages: features.flatMap(({ messages }) => messages ?? []),
    users: features.flatMap(({ users }) => users ?? []),
    textModeration: features.find(({ textModeration }) => textModeration)?.textModeration ?? noTextModeration,
    userDeletion: features.flatMap(({ userDeletion }) => userDeletion ?? []),
    connect: features.flatMap(({ connect }) => connect ?? []),
  }
}

/** @param name  that of its folder */
export function feature(name: string, parts: FeatureParts): Feature {
  return { name, ...parts }
}
