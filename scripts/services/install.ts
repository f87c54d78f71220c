import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { findChromium, findShell } from './chromium.ts'
import { findFaketime } from './faketime.ts'
import { findFirefox } from './firefox.ts'
import { findNats } from './nats.ts'
import { findPgBouncer } from './pgbouncer.ts'
import { findPostgres } from './postgres.ts'
import { findProgram } from './program.ts'
import { findCaddy, findHaproxy } from './tls-proxy.ts'

/** What tests need from the machine, how to detect it, and the Debian packages that provide it. */
const needs = {
  postgres: { title: 'PostgreSQL', find: findPostgres, packages: ['postgresql'] },
  pgbouncer: { title: 'PgBouncer', find: findPgBouncer, packages: ['pgbouncer'] },
  nats: { title: 'nats-server', find: findNats, packages: ['nats-server'] },
  // Used by operators on the file, while the server runs.
  sqlite: { title: 'sqlite3', find: () => findProgram(['sqlite3']), packages: ['sqlite3'] },
  chromium: {
    title: 'Chromium',
    find: findChromium,
    // The fonts show letters instead of boxes for the twelve languages and emoji.
    packages: ['chromium', 'fonts-noto-cjk', 'fonts-noto-color-emoji'],
  },
  haproxy: { title: 'HAProxy', find: findHaproxy, packages: ['haproxy'] },
  caddy: { title: 'Caddy', find: findCaddy, packages: ['caddy'] },
}
export type Need = keyof typeof needs

/**
 * Makes sure these are installed, and installs them when permitted.
 *
 * @throws Error with one line that names what is missing and how to get it
 */
export function ensureInstalled(wanted: Need[]): void {
  const missing = wanted.filter((need) => !needs[need].find())
  if (missing.length === 0) return

  const packages = missing.flatMap((need) => needs[need].packages)
  const titles = missing.map((need) => needs[need].title).join(', ')
  if (!mayInstall())
    throw new Error(`Missing on this machine: ${titles}. On Debian: apt-get install ${packages.join(' ')}`)

  console.log(`Installing ${packages.join(', ')} …`)
  installWithApt(packages)
  const still = missing.filter((need) => !needs[need].find())
  if (still.length > 0)
    throw new Error(`Installed, but not found: ${still.map((need) => needs[need].title).join(', ')}.`)
}

/** Optional: not every system has a package for these; without one, a test is skipped, or is slower. */
const wishes = {
  firefox: { find: findFirefox, package: 'firefox-esr' },
  faketime: { find: findFaketime, package: 'libfaketime' },
  shell: { find: findShell, package: 'chromium-headless-shell' },
}

/** Installs this when permitted and missing. */
export function installIfPossible(wish: keyof typeof wishes): void {
  const { find, package: name } = wishes[wish]
  if (find() || !mayInstall()) return
  console.log(`Installing ${name} …`)
  try {
    installWithApt([name])
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
  }
}

function mayInstall() {
  return process.getuid?.() === 0 && findProgram(['apt-get'], ['/usr/bin']) !== undefined
}

const POSTGRES_CLUSTERS = '/etc/postgresql-common/createcluster.conf'
const SERVICE_POLICY = '/usr/sbin/policy-rc.d'

/** Installs the programs alone: their packages would also start a database and a broker. */
function installWithApt(packages: string[]) {
  if (!existsSync(POSTGRES_CLUSTERS)) {
    mkdirSync('/etc/postgresql-common', { recursive: true })
    writeFileSync(POSTGRES_CLUSTERS, 'create_main_cluster = false\n')
  }
  const hadPolicy = existsSync(SERVICE_POLICY)
  if (!hadPolicy) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    aptGet('update')
    aptGet('install', '--yes', '--no-install-recommends', ...packages)
  } finally {
    if (!hadPolicy) rmSync(SERVICE_POLICY)
  }
}

function aptGet(...args: string[]) {
  // An existing configuration file (ours, above) would otherwise stop the install with a question.
  const quiet = ['-qq', '-o', 'Dpkg::Options::=--force-confold', '-o', 'Dpkg::Use-Pty=0']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('apt-get', [...quiet, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed.`)
}
