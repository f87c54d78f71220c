/** Channel types and their settings; only for the application's own server [administration.md 2]. */
import type { ChannelType, CreateChannelTypeRequest, UpdateChannelTypeRequest } from '@parley/protocol/channel-types'
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions } from '../shapes.ts'

export function listChannelTypes(
  client: Calling,
  call: CallOptions = {},
): Promise<Answer<{ channel_types: Record<string, ChannelType> }>> {
  return client.request('GET', '/channeltypes', call)
}

export function getChannelType(client: Calling, name: string, call: CallOptions = {}): Promise<Answer<ChannelType>> {
  return client.request('GET', typePath(name), call)
}

export function createChannelType(
  client: Calling,
  type: CreateChannelTypeRequest,
  call: CallOptions = {},
): Promise<Answer<ChannelType>> {
  return client.request('POST', '/channeltypes', { body: type, ...call })
}

export function updateChannelType(
  client: Calling,
  name: string,
  type: UpdateChannelTypeRequest,
  call: CallOptions = {},
): Promise<Answer<ChannelType>> {
  return client.request('PUT', typePath(name), { body: type, ...call })
}

export function deleteChannelType(client: Calling, name: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', typePath(name), call)
}

function typePath(name: string): string {
  return `/channeltypes/${encodeURIComponent(name)}`
}
