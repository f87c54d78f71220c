/**
 * Starts the whole product on this machine: the chat server and the web app, without any setup.
 *
 *     npm start
 *     npm run dev        the same, with every saved change loaded at once
 */
import { join } from 'node:path'
import pg from 'pg'
import { onStopSignal } from '../apps/process/stopping.ts'
import { readSettings as readServerSettings } from '../apps/server/src/platform/settings.ts'
import { readSettings as readWebSettings } from '../apps/web/src/settings.ts'
import { buildIfStale } from './build-if-stale.ts'
import { localSettings } from './local-settings.ts'
import { type Program, runTogether } from './run-together.ts'

const root = join(import.meta.dirname, '..')
const isDev = process.argv.includes('--dev')

const stop = new AbortController()
const hurry = new AbortController()
onStopSignal((again) => {
  stop.abort()
  again.addEventListener('abort', () => hurry.abort())
})

try {
  await start()
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function start() {
  // Before anything is created, and with the names the user set.
  readServerSettings(process.env)
  const { drainSeconds } = readWebSettings(process.env)
  const { server, web, databaseToCreate } = localSettings(process.env, root)
  if (!isDev) await buildIfStale()
  if (databaseToCreate) await ensureDatabase(databaseToCreate, server.DATABASE_URL!)

  const programs = [
    program('server', 'apps/server/src/main.ts', server, 'PORT', ['--watch']),
    // Vite reloads the pages itself, and writes and loads files of its own, for which `--watch` would restart.
    program('web', 'apps/web/src/main.ts', web, 'WEB_PORT', [`--watch-path=${join(root, 'apps/web/src')}`]),
  ]
  const address = process.env.PUBLIC_URL || `http://localhost:${web.WEB_PORT}`
  await runTogether(programs, {
    print: console.log,
    whenReady: () => console.log(`\nParley is running: ${address}\nCtrl+C stops it.\n`),
    signal: stop.signal,
    drainMs: drainSeconds * 1_000,
    hurry: hurry.signal,
  })
}

/** @param watched  the options with which Node restarts it in development */
function program(
  name: string,
  file: string,
  settings: Record<string, string>,
  portSetting: string,
  watched: readonly string[],
): Program {
  return {
    name,
    args: [...(isDev ? [...watched, '--watch-preserve-output'] : []), join(root, file), ...(isDev ? ['--dev'] : [])],
    env: { ...process.env, NODE_ENV: isDev ? 'development' : 'production', ...settings },
    host: settings.HOST!,
    port: Number(settings[portSetting]),
    portSetting,
  }
}

/** @param neighbour  an existing database on the same server */
async function ensureDatabase(url: string, neighbour: string) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  const client = new pg.Client(neighbour)
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
