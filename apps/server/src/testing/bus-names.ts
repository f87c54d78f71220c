/**
 * The names of what nodes of a cluster send to each other. While a cluster is updated node by node, two versions speak
 * on one bus: a name may be added, never changed.
 */
import { connectNats } from '../platform/realtime/bus.ts'
import { busSettingsIn } from '../platform/realtime/bus-settings.ts'

const subjects = ['changes', 'newest', 'presence', 'app.*.channel.*', 'app.*.user.*', 'node.*']
/** Fields whose own fields are ids, or the columns of a row. */
const opened = new Set(['threads', 'earlier'])
/** Fields that say what kind of message this is. */
const kinds = new Set(['do', 'say', 'ask'])

const busNames = new Set(
  `
  addresses app apps ask=watchers channels cid cids commits count do=close do=follow do=giveBack do=poll
  do=unwatch do=watch earlier events from id invisible last members newest node number on rewound say=beat
  say=bye say=connections say=hello say=here say=offline say=online to unsure user userId users watch watchers
  ended.app ended.body ended.id ended.reason publication.about publication.app publication.at publication.cid
  publication.effects.among publication.effects.author publication.effects.counts
  publication.effects.do=authorRead publication.effects.do=close publication.effects.do=count
  publication.effects.do=forget publication.effects.do=hideHistory publication.effects.do=join
  publication.effects.do=leave publication.effects.do=read publication.effects.do=readAll
  publication.effects.do=recount publication.effects.do=uncount publication.effects.except
  publication.effects.forever publication.effects.hiddenTo publication.effects.joinedAt publication.effects.left
  publication.effects.ordinal publication.effects.postedAt publication.effects.to publication.effects.unread
  publication.effects.user publication.except publication.lowered.body publication.lowered.user publication.only
  publication.others.body publication.others.except publication.others.onlyChanged publication.personal.body
  publication.personal.threads publication.personal.totals publication.personal.unwatched
  publication.personal.users publication.quiet.channels publication.quiet.user publication.quiet.users
  publication.seq publication.threads publication.totals publication.totals.only publication.uncounted
  publication.watchers updated.app updated.id updated.ranked updated.veiled
`.split(/\s+/),
)

export interface RecordedNames {
  /** Such as `publication.personal.users` and `say=beat`, of everything that was on the bus so far. */
  seen: ReadonlySet<string>
  /** Those that earlier versions do not know. */
  unknown: () => string[]
  close: () => Promise<void>
}

export async function recordBusNames(): Promise<RecordedNames> {
  const seen = new Set<string>()
  const reports = { failed() {}, away() {}, back() {} }
  const bus = await connectNats(busSettingsIn({ BUS_URL: process.env.TEST_NATS_URL! })!, reports)
  for (const subject of subjects)
    bus.subscribe(subject, (text) => {
      for (const name of namesIn(JSON.parse(text))) seen.add(name)
    })
  await bus.settled()
  return { seen, unknown: () => [...seen].filter((name) => !busNames.has(name)), close: () => bus.close() }
}

function namesIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, at))
  const last = at.split('.').at(-1)!
  if (kinds.has(last)) return [`${at}=${value}`]
  if (typeof value !== 'object' || value === null || opened.has(last)) return [at]
  return Object.entries(value).flatMap(([name, inner]) => namesIn(inner, at ? `${at}.${name}` : name))
}
