import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { App } from '../../chat/apps/app.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FileVariantRow } from '../../platform/database/tables.ts'
import type { OutboundPolicy } from '../../platform/outbound/outbound-fetch.ts'
import type { Settings } from '../../platform/settings.ts'
import { FileLinks } from './file-links.ts'
import { FileOwners } from './file-owners.ts'
import { hasKey, keptKey } from './file-store.ts'
import { ImageAddresses } from './image-addresses.ts'
import { ImageProxy } from './image-proxy.ts'
import { openStorage, type Storage } from './storage.ts'
import { WaitingLine } from './waiting-line.ts'

/** Variants made at the same time, and those that may wait. */
const MADE_AT_ONCE = 2
const MADE_LATER = 64
/** An interrupted upload is purged after this long. */
const FORGOTTEN_MS = 24 * 3_600_000
/** Default lifetime of a file's address [ATT-16]. */
const LIFETIME_SECONDS = 14 * 86_400

/** Everything that handles the bytes of files. */
export interface Files {
  /** Renews every file address in a text that goes to the app's own server [ATT-16]. */
  inWords(app: App, text: string): string
  /** The same for clients, with external images led through the proxy, if there is one [ATT-24]. */
  forClients(app: App, text: string): string
  /** Replaces proxy addresses in a text from a client with the original ones. */
  fromClients(text: string): string
  /** Whether a text needs no renewal, now and later. */
  staysAsItIs(text: string): boolean
  /** Undefined when the image proxy is off. */
  images: ImageProxy | undefined
  /** Looks up the apps of files whose addresses do not name one, so that `inWords` renews those as well. */
  learnOwners(texts: readonly string[]): Promise<void>
  /** A fresh address of a file. */
  linkTo(app: App, file: { id: string; name: string }): string
  storage: Storage
  links: FileLinks
  /** The folder for files in transit. */
  passing: string
  line: WaitingLine
  /** The variants being made now, so that none is made twice. */
  underWay: Map<string, Promise<FileVariantRow | undefined>>
  /** The program that converts sound, if there is one. */
  ffmpeg: string | undefined
}

/**
 * @param publicUrl where clients reach the server
 * @param outlook   for external images
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

/** As with size limits, 0 stands for the default. */
function lifetimeOf({ settings }: App): number {
  return settings.cdn_expiration_seconds || LIFETIME_SECONDS
}

/** Other nodes may use the same folder, so only old files are deleted. */
async function purgeExpired(folder: string) {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - FORGOTTEN_MS) await rm(path, { force: true })
  }
}

/** Without a setting, the program is used if it is installed. */
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
