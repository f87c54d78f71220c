import { type ChannelData, type User, usableCommands } from '@parley/client'
import { expect, it } from 'vitest'
import { lacksSomebody } from './commands.ts'

const command = (name: string, args = '[@username]') => ({ name, args, description: '', set: '' })
const commands = [command('giphy', '[text]'), ...['ban', 'unban', 'mute', 'unmute'].map((name) => command(name))]
const names = (own_capabilities: string[]) =>
  usableCommands({ own_capabilities, config: { commands } } as unknown as ChannelData).map(({ name }) => name)

it('[CMD-10] ban and unban are offered only to users who may ban', () => {
  expect(names(['send-message'])).toEqual(['giphy', 'mute', 'unmute'])
  expect(names(['ban-channel-members'])).toEqual(['giphy', 'ban', 'unban', 'mute', 'unmute'])
})

it('a command on a user waits for a name', () => {
  const bo = { id: 'bo', name: 'Bo Lindqvist' } as User
  const mute = (args: string) => ({ command: command('mute'), args })
  expect(lacksSomebody(mute(''), [])).toBe(true)
  expect(lacksSomebody(mute('Bo'), [bo])).toBe(true)
  expect(lacksSomebody(mute('@Bo Lindqvist'), [bo])).toBe(false)
  expect(lacksSomebody(mute('@cy'), [])).toBe(false)
  expect(lacksSomebody({ command: command('giphy', '[text]'), args: '' }, [])).toBe(false)
})
