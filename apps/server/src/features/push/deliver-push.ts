import type { Device, PushProvider } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { totalsOfUsers } from '../../chat/reads/counting.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import { untilEnding } from '../../platform/tasks/until-ending.ts'
import type { Server } from '../../server.ts'
import { devicesOfUsers, disableDevice } from '../devices/own-devices.ts'
import { keyOf } from '../devices/push-providers.ts'
import type { Occasion, PushWork } from './enqueue-push.ts'
import { PushWriter, textsOf } from './push-content.ts'
import { type Facts, isForMessages, type PhoneEvent, pushFacts, withMessage } from './push-facts.ts'
import type { Push } from './push-services.ts'
import { providerOf, pushedEventsOf } from './pushed-events.ts'

/** Events whose recipients are looked up together. */
const EVENTS = 20
/** Users pushed to at the same time, with all their devices. */
const AT_ONCE = 50
/** All tries of one push together may take this long. */
const TOGETHER_MS = 15_000
/** Before the second try, and before the third. */
const PAUSES_MS = [500, 2_000]

/** A server that ends waits this long for answers that are on their way. */
const GRACE_MS = 1_000

/** Progress of the pushes: all users up to `after` are done, and these devices of the next ones. */
interface Progress {
  from: number
  after?: Place | undefined
  told: string[]
}

/** A recipient of an event. */
interface Place {
  index: number
  userId: string
}

/**
 * Sends pushes, to some users at a time. A restart goes on with the remaining devices; only what was under way when a
 * machine failed is sent again, under the same id, so that a phone shows it once.
 */
export const deliverPush: TaskKind<PushWork, Progress> = {
  name: 'tell_phones',
  outbound: true,
  async run(server, task) {
    const { occasions } = task.input
    let { from, after, told }: Progress = task.progress ?? { from: 0, told: [] }
    const save = (progress: Progress) => server.commit.write(task.app, [], (batch) => task.save(batch, progress))
    for (; from < occasions.length; from += EVENTS) {
      const app = await server.apps.byId(task.app)
      // Its last provider was taken away.
      if (!app || pushedEventsOf(app).size === 0) break
      const page = await pageOf(server, app, occasions.slice(from, from + EVENTS))
      const places = after
        ? page.places.slice(page.places.findLastIndex((place) => !isAfter(place, after!)) + 1)
        : page.places
      for (let first = 0; first < places.length; first += AT_ONCE) {
        const some = places.slice(first, first + AT_ONCE)
        const done = new Set(told)
        const delivering = deliverAll(server, app, page, some, done, task.ending)
        await untilEnding(delivering, task.ending)
        if (task.ending.aborted) {
          await Promise.race([delivering, pauseOf(server, GRACE_MS)])
          await task.leave({ from, after, told: [...done] })
        }
        after = some.at(-1)
        told = []
        if (first + AT_ONCE < places.length) await save({ from, after, told })
      }
      after = undefined
      await save({ from: from + EVENTS, told: [] })
    }
    return {}
  },
}

interface Page {
  occasions: readonly Occasion[]
  events: PhoneEvent[]
  facts: Facts
  places: Place[]
  writer: PushWriter
}

async function pageOf(server: Server, app: App, occasions: readonly Occasion[]): Promise<Page> {
  const events = occasions.map(({ body }) => withMessage(JSON.parse(body) as PhoneEvent))
  const facts = await pushFacts(server, app, events)
  const places = events.flatMap((event, index) => facts.recipients(event).map((userId) => ({ index, userId })))
  return { occasions, events, facts, places, writer: new PushWriter() }
}

function isAfter(place: Place, other: Place): boolean {
  return place.index === other.index ? place.userId > other.userId : place.index > other.index
}

/** The number of queries does not grow with them. @param done  receives the delivered ones, as `<event>|<device>` */
async function deliverAll(
  server: Server,
  app: App,
  { occasions, events, facts, writer }: Page,
  places: readonly Place[],
  done: Set<string>,
  ending: AbortSignal,
) {
  const { read, dialect } = server.database
  const ids = [...new Set(places.map(({ userId }) => userId))]
  const devices = await devicesOfUsers(server, app.id, ids)
  if (!ids.some((id) => devices(id).some(isForMessages))) return
  const totals = await totalsOfUsers(read, dialect, app, ids)
  const pushes = places.flatMap(({ index, userId }) => {
    const event = events[index]!
    return devices(userId).flatMap((device) => {
      const key = `${occasions[index]!.id}|${device.id}`
      const provider = providerOf(app, device, event.type)
      if (!provider || !isForMessages(device) || done.has(key)) return []
      const context = facts.context(event, userId, totals(userId))
      const { content, problem } = writer.write(provider.type, textsOf(app, provider, event.type), context)
      const fields = { app: app.id, provider: keyOf(provider) }
      const template = `template ${app.id} ${keyOf(provider)} ${event.type}`
      if (problem) server.outages.failed(template, { ...fields, problem }, 'a push said the usual')
      else server.outages.answered(template, fields, 'pushes say what the template says')
      return { device, provider, key, push: { id: occasions[index]!.id, device: device.id, content } }
    })
  })
  await Promise.all(
    pushes.map(async ({ device, provider, key, push }) => {
      if (await deliver(server, app, provider, device, push, ending)) done.add(key)
    }),
  )
}

/**
 * Tries to send one push to one device; a push that cannot be delivered in time is dropped.
 *
 * @returns false where the server ends before it is known
 */
async function deliver(
  server: Server,
  app: App,
  provider: PushProvider,
  device: Device,
  push: Push,
  ending: AbortSignal,
): Promise<boolean> {
  const { clock, outages, push: services } = server
  const who = `${app.id} ${keyOf(provider)}`
  const end = clock.now() + TOGETHER_MS
  let why = 'it failed too often and is left alone for a while'
  for (let attempt = 1; services.breaker.allowsCall(who); attempt++) {
    if (ending.aborted) return false
    const outcome = await services.send(app, provider, push)
    if (outcome === 'delivered') {
      services.breaker.answered(who)
      outages.answered(`push ${who}`, { app: app.id, provider: keyOf(provider) }, 'pushes arrive again')
      return true
    }
    why = outcome.why
    if (outcome.gone) {
      services.breaker.answered(who)
      await disableDevice(server, app.id, device, why)
      return true
    }
    const pause = PAUSES_MS[attempt - 1]
    if (!outcome.again || pause === undefined || clock.now() + pause >= end) {
      services.breaker.failed(who)
      break
    }
    await untilEnding(pauseOf(server, pause), ending)
  }
  const fields = { app: app.id, provider: keyOf(provider), user: device.user_id, why }
  outages.failed(`push ${who}`, fields, 'a push did not arrive')
  return true
}

function pauseOf({ clock }: Server, ms: number): Promise<void> {
  return new Promise((over) => clock.after(ms, over))
}
