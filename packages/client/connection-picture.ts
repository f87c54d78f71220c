/**
 * Draws state diagrams of the connection and the long poll from the code. `node packages/client/connection-picture.ts`
 * updates docs/subsystems/connection.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { answeredError, ChatError } from './src/chat-error.ts'
import { type Alarm, type Connection, type Signal, step } from './src/connection/connection.ts'
import { type LongPoll, type LongPollSignal, longPollStep } from './src/connection/long-poll.ts'

export const page = fileURLToPath(new URL('../../docs/subsystems/connection.md', import.meta.url))

const coded = (code: number) => answeredError({ code, message: '', StatusCode: 400 }, 400)
const alarms: Alarm[] = ['confirm', 'ping', 'silence', 'retry', 'offline', 'socket']

/** Every signal, with its label in the diagram. */
const signals: [string, Signal][] = [
  ['connect', { type: 'connect' }],
  ['disconnect', { type: 'disconnect' }],
  ['token loaded', { type: 'authorized' }],
  ['no token', { type: 'unauthorized', error: coded(5) }],
  ['first frame', { type: 'opened', connectionId: 'c1' }],
  ['any frame', { type: 'heard' }],
  ['code 40', { type: 'refused', error: coded(40), renewable: true }],
  ['final code', { type: 'refused', error: coded(43), renewable: true }],
  ['code to retry', { type: 'refused', error: coded(9), renewable: true }],
  ['socket lost', { type: 'lost' }],
  ['code 46', { type: 'forgotten' }],
  ['browser online', { type: 'online' }],
  ['browser offline', { type: 'offline' }],
  ['woke after 35 s', { type: 'woke', silentMs: 35_001 }],
  ...alarms.map((alarm): [string, Signal] => [`${alarm} alarm`, { type: 'rung', alarm }]),
]

const longPollSignals: [string, LongPollSignal][] = [
  ['connect', { type: 'connect' }],
  ['connection id', { type: 'opened', connectionId: 'p1' }],
  ['answered', { type: 'answered' }],
  ['waited', { type: 'waited' }],
  ['pause', { type: 'pause' }],
  ['resume', { type: 'resume' }],
  ['disconnect', { type: 'disconnect' }],
  ['code 46', { type: 'failed', error: coded(46) }],
  ['final code', { type: 'failed', error: coded(17) }],
  ['code to retry', { type: 'failed', error: coded(9) }],
  ['network error', { type: 'failed', error: new ChatError('', { code: 'ERR_NETWORK' }) }],
  ['no answer in time', { type: 'failed', error: new ChatError('', { code: 'ECONNABORTED' }) }],
]

/** How many signals deep the states are followed: deeper states differ only in their failure counts. */
const ROUNDS = 8

/** The page with its diagrams drawn from the current code. */
export function drawn(text: string): string {
  const connection = picture<Connection, Signal>({ at: 'idle' }, signals, nameOf, (from, signal) => {
    const [without] = step(from, signal)
    const [withFallback] = step(from, signal, { fallback: true })
    return [without, withFallback]
  })
  const poll = picture<LongPoll, LongPollSignal>(
    { at: 'INIT' },
    longPollSignals,
    ({ at }) => at,
    (from, signal) => [longPollStep(from, signal)[0]],
  )
  return replaced(replaced(text, 'connection', connection), 'long poll', poll)
}

function nameOf(connection: Connection): string {
  return 'over' in connection && connection.over ? `${connection.at}_longpoll` : connection.at
}

function picture<State, AnySignal>(
  first: State,
  all: readonly [string, AnySignal][],
  name: (state: State) => string,
  follow: (state: State, signal: AnySignal) => State[],
): string {
  const ways = new Map<string, Set<string>>()
  let states = new Map([[JSON.stringify(first), first]])
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Map(states)
    for (const state of states.values())
      for (const [words, signal] of all)
        for (const to of follow(state, signal)) {
          next.set(JSON.stringify(to), to)
          if (name(to) === name(state)) continue
          const way = `${name(state)} --> ${name(to)}`
          ways.set(way, (ways.get(way) ?? new Set()).add(words))
        }
    states = next
  }
  const lines = [...ways].map(([way, words]) => `  ${way}: ${[...words].join(', ')}`).sort()
  return ['stateDiagram-v2', `  [*] --> ${name(first)}`, ...lines].join('\n')
}

function replaced(text: string, name: string, picture: string): string {
  const [begin, end] = [`<!-- drawn: ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`The page has no place for the picture of the ${name}.`)
  return `${before}${begin}\n\`\`\`mermaid\n${picture}\n\`\`\`\n${end}${after}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, drawn(readFileSync(page, 'utf8')))
