import assert from 'node:assert/strict'
import { it } from 'vitest'
import { channelCalls, clientCalls, loadedPolls, moderationCalls } from './needed-rarely.ts'
import { ChannelCalls, ClientCalls, LoadedPolls, ModerationCalls } from './rare-calls.ts'

it('every call that is fetched when it is used is a method, and the other way round', () => {
  const namesOf = (object: object) => Object.keys(object).toSorted()
  assert.deepEqual(namesOf(ClientCalls.prototype), namesOf(clientCalls))
  assert.deepEqual(namesOf(ChannelCalls.prototype), namesOf(channelCalls))
  assert.deepEqual(namesOf(LoadedPolls.prototype), namesOf(loadedPolls))
  assert.deepEqual(namesOf(ModerationCalls.prototype), namesOf(moderationCalls))
})
