/** Modules that a page needs soon after it has connected, and not before. They are fetched while it connects. */
import { OnDemand } from './on-demand.ts'

export const channelEvents = new OnDemand(() => import('./channels/channel-events.ts'))
export const changes = new OnDemand(() => import('./messages/changes.ts'))
export const paging = new OnDemand(() => import('./channels/paging.ts'))
export const recovery = new OnDemand(() => import('./connection/recovery.ts'))

/** @returns when all of them are there. One that could not be fetched is tried again when it is needed. */
export function fetchNeededSoon(): Promise<unknown> {
  return Promise.all([channelEvents, changes, paging, recovery].map((module) => module.fetch()))
}
