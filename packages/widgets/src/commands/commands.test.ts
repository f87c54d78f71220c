import type { ChannelState, User } from '@parley/client'
import { expect, it } from 'vitest'
import { commandIn, commandsOf, lacksSomebody } from './commands.ts'

const command = (name: string, args = '[@username]') => ({ name, args, description: '', set: '' })
const commands = [command('giphy', '[text]'), ...['ban', 'unban', 'mute', 'unmute'].map((name) => command(name))]
const here = (own_capabilities: string[]) =>
  ({ data: { own_capabilities, config: { commands } } }) as unknown as ChannelState
const names = (own_capabilities: string[]) => commandsOf(here(own_capabilities)).map(({ name }) => name)

it('[CMD-10] ban and unban are offered to those alone who may ban', () => {
  expect(names(['send-message'])).toEqual(['giphy', 'mute', 'unmute'])
  expect(names(['ban-channel-members'])).toEqual(['giphy', 'ban', 'unban', 'mute', 'unmute'])
})

it('a text is a command from the space on, and only where the command is offered', () => {
  expect(commandIn(commands, '/giphy')).toBeUndefined()
  expect(commandIn(commands, '/giphy ')).toMatchObject({ command: { name: 'giphy' }, rest: '' })
  expect(commandIn(commands, '/mute @Bo for now\nplease')).toMatchObject({ rest: '@Bo for now\nplease' })
  expect(commandIn(commands, '/dance now')).toBeUndefined()
})

it('a command about somebody waits for a name', () => {
  const bo = { id: 'bo', name: 'Bo Lindqvist' } as User
  const mute = (rest: string) => ({ command: command('mute'), rest })
  expect(lacksSomebody(mute(''), [])).toBe(true)
  expect(lacksSomebody(mute('Bo'), [bo])).toBe(true)
  expect(lacksSomebody(mute('@Bo Lindqvist'), [bo])).toBe(false)
  expect(lacksSomebody(mute('@cy'), [])).toBe(false)
  expect(lacksSomebody({ command: command('giphy', '[text]'), rest: '' }, [])).toBe(false)
})
