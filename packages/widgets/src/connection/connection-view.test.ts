import { ChatError, type Connection } from '@parley/client'
import { expect, it } from 'vitest'
import { connectionView } from './connection-view.ts'

const connected: Connection = { at: 'connected', connectionId: 'c1' }
const waiting: Connection = {
  at: 'waiting',
  fresh: false,
  offline: false,
  failures: 1,
  loads: 0,
  again: true,
  told: true,
}

it('shows nothing while the connection is fine, or its loss is not announced yet', () => {
  expect(connectionView(connected, true, false)).toBe('fine')
  expect(connectionView({ ...waiting, told: false }, true, false)).toBe('fine')
})

it('shows that it reconnects, or that the device is offline', () => {
  expect(connectionView(waiting, false, false)).toBe('reconnecting')
  expect(connectionView(waiting, false, true)).toBe('offline')
})

it('shows when it gave up, but not when it was closed on purpose', () => {
  expect(connectionView({ at: 'closed', error: new ChatError('No.') }, true, false)).toBe('fatal')
  expect(connectionView({ at: 'closed' }, true, false)).toBe('fine')
})
