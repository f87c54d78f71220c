import type { ChatClient } from './chat-client.ts'
import type { Clock } from './clock.ts'
import type { OwnUser } from './shapes.ts'

/** What the modules that a client fetches when they are first needed may do with it. */
export interface ClientDoor {
  readonly client: ChatClient
  readonly clock: Clock
  /** Resolves once there is a connection. */
  connected(): Promise<void>
  /** Changes the own user. */
  merge(fields: Partial<OwnUser>): void
}
