import assert from 'node:assert/strict'
import { it } from 'vitest'
import * as soonCalls from './channels/soon-calls.ts'
import { channelCalls, clientCalls, moderationCalls } from './lazy-chunk-rare.ts'
import * as reactingCalls from './messages/reacting.ts'
import * as sendAgainCalls from './messages/send-again.ts'
import { ChannelCalls, ClientCalls, ModerationCalls, ReactingCalls, SendAgainCalls, SoonCalls } from './rare-calls.ts'

it('every lazily loaded call is a method, and every method is such a call', () => {
  const namesOf = (object: object) => Object.keys(object).toSorted()
  assert.deepEqual(namesOf(ClientCalls.prototype), namesOf(clientCalls))
  assert.deepEqual(namesOf(ChannelCalls.prototype), namesOf(channelCalls))
  assert.deepEqual(namesOf(SoonCalls.prototype), namesOf(soonCalls))
  assert.deepEqual(namesOf(ReactingCalls.prototype), namesOf(reactingCalls))
  assert.deepEqual(namesOf(SendAgainCalls.prototype), namesOf(sendAgainCalls))
  assert.deepEqual(namesOf(ModerationCalls.prototype), namesOf(moderationCalls))
})
