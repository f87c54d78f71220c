import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { App } from '../apps/app.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { FileVariantRow } from '../database/tables.ts'
import type { OutboundPolicy } from '../outbound/outbound-fetch.ts'
import type { Settings } from '../settings.ts'
import { FileLinks } from './file-links.ts'
import { FileOwners } from './file-owners.ts'
import { hasKey, keptKey } from './file-store.ts'
import { ImageAddresses } from './image-addresses.ts'
import { ImageProxy } from './image-proxy.ts'
import { openStorage, type Storage } from './storage.ts'
import { WaitingLine } from './waiting-line.ts'

/** Pictures and sound made at a time, and those that wait for it. */
const MADE_AT_ONCE = 2
const MADE_LATER = 64
/** What an upload left behind that was under way when the server died. */
const FORGOTTEN_MS = 24 * 3_600_000
/** How long an address of a file is good, where the app does not say [ATT-16]. */
const LIFETIME_SECONDS = 14 * 86_400

/** All that has to do with the bytes of files. */
export interface Files {
  /** A text of the app on its way out to its own server, with every address of a file in it good again [ATT-16]. */
  inWords(app: App, text: string): string
  /** The same on its way to people, whose pictures of other hosts come through the proxy, where there is one [ATT-24]. */
  forClients(app: App, text: string): string
  /** A text that came from people, without addresses of the proxy. */
  fromClients(text: string): string
  /** Whether a text leaves as it is, today and later. */
  staysAsItIs(text: string): boolean
  /** Undefined where pictures of other hosts are fetched from there. */
  images: ImageProxy | undefined
  /** Learns whose the files in texts are, where their addresses do not say so; then `inWords` renews those as well. */
  learnOwners(texts: readonly string[]): Promise<void>
  /** An address of a file, as good as new. */
  linkTo(app: App, file: { id: string; name: string }): string
  storage: Storage
  links: FileLinks
  /** Where files lie on their way in or out. */
  passing: string
  line: WaitingLine
  /** What is being made at this moment, so that nothing is made twice. */
  underWay: Map<string, Promise<FileVariantRow | undefined>>
  /** The program that makes one kind of sound from another, if there is one. */
  ffmpeg: string | undefined
}

/**
 * @param publicUrl where clients reach the server
 * @param outlook   for pictures that people link to
 * @throws Error naming a setting that cannot be used
 */
export async function openFiles(
  settings: Settings,
  database: Database,
  clock: Clock,
  publicUrl: () => string,
  policy: OutboundPolicy,
): Promise<Files> {
  const key = await keptKey(database.write, 'file links', randomBytes(32).toString('base64url'))
  const passing = settings.filesUrl.startsWith('file:')
    ? join(settings.filesUrl.slice('file:'.length), 'passing')
    : join(settings.dataDir, 'passing')
  await purgeExpired(passing)
  const links = new FileLinks(key, publicUrl)
  const owners = new FileOwners(database.read, links, await hasKey(database.read, 'files without app'))
  const images =
    settings.imageProxy && (await ImageProxy.open(settings.imageProxy, new ImageAddresses(key, publicUrl), policy))
  const inWords = (app: App, text: string) =>
    links.renewed(app.id, text, lifetimeOf(app), clock.now(), (id) => owners.of(id) === app.id)
  return {
    inWords,
    forClients: (app, text) => images?.addresses.toProxy(inWords(app, text)) ?? inWords(app, text),
    fromClients: (text) => images?.addresses.fromProxy(text) ?? text,
    staysAsItIs: (text) => !links.mayBeIn(text) && (!images || images.addresses.toProxy(text) === text),
    images,
    learnOwners: (texts) => owners.learn(texts),
    linkTo: (app, file) => links.linkTo(app.id, file, lifetimeOf(app), clock.now()),
    storage: await openStorage(settings.filesUrl),
    links,
    passing,
    line: new WaitingLine(MADE_AT_ONCE, MADE_LATER),
    underWay: new Map(),
    ffmpeg: programOf(settings.ffmpeg),
  }
}

/** As with the sizes of files, 0 stands for what is usual. */
function lifetimeOf({ settings }: App): number {
  return settings.cdn_expiration_seconds || LIFETIME_SECONDS
}

/** Other nodes may be using the same folder, so only what is old goes. */
async function purgeExpired(folder: string) {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - FORGOTTEN_MS) await rm(path, { force: true })
  }
}

/** Without a setting, the program is used if it is there. */
function programOf(setting: string | undefined): string | undefined {
  if (setting === 'off') return undefined
  if (setting !== undefined) {
    if (isProgram(setting)) return setting
    throw new Error(`FFMPEG must be off or the path of a program, not "${setting}"`)
  }
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'ffmpeg'))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
