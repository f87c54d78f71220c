/** Tracks the networks users call from, and the networks banned along with a user [administration.md 6.1]. */
import type { Batch } from '../../platform/database/batch.ts'
import type { BannedNetworkRow, BanRow, UserRow } from '../../platform/database/tables.ts'
import { networkOf } from '../../platform/http/trusted-proxies.ts'
import type { Server } from '../../server.ts'
import {
  bannedNetworksOf,
  deleteBannedNetworks,
  dropUserNetworksBefore,
  networksOf,
  putBannedNetworks,
  putUserNetwork,
} from './address-store.ts'
import { barred } from './banned.ts'

/** A user who stays on one network is recorded this often. */
const NOTED_FOR_MS = 3_600_000
const NOTES_KEPT = 100_000
/** Networks seen longer ago are forgotten. */
const REMEMBERED_MICROS = 30 * 86_400_000_000
/** At most so many networks are banned along with one user. */
const NETWORKS_PER_BAN = 50

type Banned = ReadonlyMap<string, readonly BannedNetworkRow[]>

export class Addresses {
  #server: () => Server
  #failed: (error: unknown) => void
  /** When a user was last recorded on a network, as `<app>|<user>|<network>`. */
  #noted = new Map<string, number>()
  #banned = new Map<string, Promise<Banned>>()
  constructor(server: () => Server, failed: (error: unknown) => void) {
    this.#server = server
    this.#failed = failed
  }

  /** The user with the rights they have from this address. The visit is recorded, but not on every call. */
  async from(user: UserRow, address: string | undefined): Promise<UserRow> {
    if (address === undefined) return user
    const network = networkOf(address)
    void this.note(user.app, user.id, address).catch(this.#failed)
    const bans = (await this.#bannedIn(user.app)).get(network) ?? []
    const now = this.#server().clock.micros()
    const lasting = bans.filter(({ expires }) => expires === null || expires > now)
    if (lasting.length === 0) return user
    return barred(user, { shadow: lasting.every(({ shadow }) => shadow === 1) })
  }

  /** Resolves when the visit is recorded. */
  async note(app: string, userId: string, address: string | undefined): Promise<void> {
    if (address === undefined) return
    const { clock, commit } = this.#server()
    const network = networkOf(address)
    const key = `${app}|${userId}|${network}`
    const now = clock.now()
    if (now - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTED_FOR_MS) return
    this.#noted.delete(key)
    if (this.#noted.size >= NOTES_KEPT) this.#noted.delete(this.#noted.keys().next().value as string)
    this.#noted.set(key, now)
    const written = commit.writeAlong(app, (batch) =>
      putUserNetwork(batch.db, { app, user_id: userId, network, seen_at: batch.now() }),
    )
    written.catch(() => this.#noted.delete(key))
    await written
  }

  /** Drops cached bans: the bans of an app changed, here or on another node. */
  forget(app: string) {
    this.#banned.delete(app)
  }

  clear() {
    this.#banned.clear()
  }

  #bannedIn(app: string): Promise<Banned> {
    const known = this.#banned.get(app)
    if (known) return known
    const reading = bannedNetworksOf(this.#server().database.read, app).then((rows) =>
      Map.groupBy(rows, ({ network }) => network),
    )
    this.#banned.set(app, reading)
    reading.catch(() => this.#banned.get(app) === reading && this.#banned.delete(app))
    return reading
  }
}

/** Bans the networks a user called from lately, along with the user. */
export async function banNetworks(batch: Batch, { app, target_id, shadow, expires }: BanRow) {
  const networks = await networksOf(batch.db, app, target_id, NETWORKS_PER_BAN)
  await putBannedNetworks(
    batch.db,
    networks.map((network) => ({ app, network, target_id, shadow, expires })),
  )
  batch.changedAddresses.add(app)
}

/** Network bans end with their ban, with its target, and when another ban replaces it. */
export async function liftNetworks(batch: Batch, { app, target_id }: Pick<BanRow, 'app' | 'target_id'>) {
  if (await deleteBannedNetworks(batch.db, app, target_id)) batch.changedAddresses.add(app)
}

export function forgetPlaces({ database, clock }: Server): Promise<void> {
  return dropUserNetworksBefore(database.write, clock.micros() - REMEMBERED_MICROS)
}
