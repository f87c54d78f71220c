import type { CustomEventData } from '../custom-data.ts'
import type { CallOptions } from '../shapes.ts'
import type { ChannelContext } from './channel-context.ts'

/** A custom event of the application, or `typing.start`. */
export type OwnEvent = { type: string; parent_id?: string | undefined } & Record<string, unknown> &
  Partial<CustomEventData>

/** Sends an event to all watchers of the channel. @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED */
export async function sendEvent(context: ChannelContext, event: OwnEvent, call: CallOptions = {}): Promise<void> {
  context.checkInitialized()
  await context.call('POST', '/event', { body: { event }, ...call })
}
