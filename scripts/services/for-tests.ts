import { findChromium, findShell } from './chromium.ts'
import { ensureInstalled, installIfPossible, type Need } from './install.ts'
import { startNats } from './nats.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres } from './postgres.ts'
import type { Service } from './service.ts'

/** What the tests of a project need from the machine; nothing when not listed. */
const needsOf: Record<string, Need[]> = {
  'packages/client': ['chromium'],
  'packages/widgets': ['chromium'],
  'apps/server': ['postgres', 'pgbouncer', 'nats', 'sqlite'],
  'apps/web': ['postgres', 'pgbouncer', 'nats', 'sqlite', 'chromium'],
  scripts: ['postgres', 'pgbouncer', 'sqlite', 'nats', 'chromium'],
  bench: ['postgres', 'nats'],
  e2e: ['postgres', 'nats', 'chromium', 'haproxy', 'caddy'],
}

/** Databases, brokers and the browser, found or installed; tests get their URLs from the environment. */
export class TestServices {
  readonly #starting: Promise<Service>[] = []

  /**
   * @param projects  the projects whose tests will run
   * @throws Error when something can neither be found nor installed
   */
  async start(projects: Iterable<string>) {
    const needs = new Set([...projects].flatMap((project) => needsOf[project] ?? []))
    ensureInstalled([...needs])
    if (needs.has('postgres')) process.env.TEST_POSTGRES_URL = await this.#started(startPostgres())
    if (needs.has('pgbouncer'))
      process.env.TEST_PGBOUNCER_URL = await this.#started(startPgBouncer(process.env.TEST_POSTGRES_URL!))
    if (needs.has('nats')) process.env.TEST_NATS_URL = await this.#started(startNats())
    if (!needs.has('chromium')) return
    installIfPossible('shell')
    process.env.CHROMIUM_PATH = findChromium()
    process.env.CHROMIUM_SHELL_PATH = findShell() ?? process.env.CHROMIUM_PATH
  }

  async stop() {
    // One that failed to start has cleaned up by itself, and has been reported.
    const running = await Promise.allSettled(this.#starting)
    await Promise.all(running.map(async (each) => each.status === 'fulfilled' && each.value.stop()))
  }

  async #started(starting: Promise<Service>) {
    this.#starting.push(starting)
    return (await starting).url
  }
}
