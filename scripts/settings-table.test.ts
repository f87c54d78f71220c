import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nearMiss } from '../apps/process/near-miss.ts'
import { settingNames as ofServer } from '../apps/server/src/platform/settings.ts'
import { settingNames as ofWeb } from '../apps/web/src/settings.ts'

const all = [...ofServer, ...ofWeb]

describe('the settings page', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/settings.md'), 'utf8')
  const [, server = '', web = ''] = page.split(/^## The (?:chat server|web app) .*$/m)

  it.each([
    ['the chat server', server, ofServer],
    ['the web app', web, ofWeb],
  ])('has a line for every setting of %s, and no other', (_, section, names) => {
    const first = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].map((match) => match[1]!)
    const named = first.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]!))
    expect(named.toSorted()).toEqual(names.toSorted())
  })
})

describe('a misspelt setting', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE-URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['FILE_URL', 'FILES_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['API_SECERT', 'API_SECRET'],
    ['APIKEY', 'API_KEY'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['PROT', 'PORT'],
    ['BUSURL', 'BUS_URL'],
  ])('%s is recognized as %s', (name, meant) => {
    expect(nearMiss(name, ofServer)).toBe(meant)
  })

  it('is recognized for every slip in every setting', () => {
    for (const name of all.filter(({ length }) => length >= 6))
      for (let at = 0; at < name.length; at++) {
        const [before, letter, after] = [name.slice(0, at), name[at]!, name.slice(at + 1)]
        const slips = [before + after, `${before}${letter}${letter}${after}`, `${before}X${after}`]
        if (after) slips.push(before + after[0] + letter + after.slice(1))
        for (const slip of slips.filter((each) => !all.includes(each))) {
          const meant = nearMiss(slip, all)
          // APP_URL and the like are names of their own.
          if (meant !== name) expect([undefined, 'APN_URL', 'API_KEY']).toContain(meant)
          if (meant === undefined) expect(slip).toMatch(/^AP[PI]_(URL|KEY|SECRET)$/)
        }
      }
  })

  it('is not recognized for settings of the other program, or real settings', () => {
    for (const name of ofServer) expect(nearMiss(name, ofWeb), name).toBeUndefined()
    for (const name of ofWeb) expect(nearMiss(name, ofServer), name).toBeUndefined()
  })

  it('is not recognized for names of other programs', () => {
    for (const name of othersNames.trim().split(/\s+/)) expect(nearMiss(name, all), name).toBeUndefined()
    for (const name of Object.keys(process.env)) expect(nearMiss(name, all), name).toBeUndefined()
  })
})

/** Names that systems, shells, containers, builds and other servers set. */
const othersNames = `
  PATH PORTAL HOME HOSTNAME HOSTTYPE USER LOGNAME SHELL TERM LANG LANGUAGE LC_ALL PWD OLDPWD SHLVL EDITOR PAGER MAIL
  TMPDIR TEMP TMP DISPLAY XAUTHORITY XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR XDG_SESSION_ID
  DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_CLIENT SUDO_USER COLORTERM LS_COLORS INVOCATION_ID JOURNAL_STREAM
  NOTIFY_SOCKET LISTEN_FDS MAINPID SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY
  PORTS POST SORT HOSTS GHOST DEMOS MEMO REGIONS_FILE AWS_REGION AWS_DEFAULT_REGION AWS_SECRET AWS_ACCESS_KEY_ID
  AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN S3_BUCKET S3_SECRET GOOGLE_APPLICATION_CREDENTIALS AZURE_CLIENT_SECRET
  KUBERNETES_SERVICE_HOST KUBERNETES_PORT PARLEY_SERVICE_HOST PARLEY_PORT CHAT_PORT CHAT_SERVICE_HOST API_PORT DB_PORT
  WEB_HOST WEB_SERVICE_PORT DOCKER_HOST CONTAINER_NAME POD_NAME NODE_NAME NAMESPACE
  NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE npm_config_cache npm_config_loglevel
  npm_package_name npm_lifecycle_event INIT_CWD NVM_DIR NVM_BIN VIRTUAL_ENV PYTHONPATH JAVA_HOME GOPATH CI
  GITHUB_API_URL GITHUB_TOKEN GITLAB_CI RUNNER_TEMP FORCE_COLOR NO_COLOR DEBUG VERBOSE LOGLEVELS
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE
  PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA PGSSLMODE POSTGRES_PASSWORD POSTGRES_DB POSTGRES_USER MYSQL_HOST
  REDIS_URL MONGO_URL MONGODB_URI AMQP_URL RABBITMQ_URL KAFKA_URL NATS_URL ELASTICSEARCH_URL SENTRY_DSN SMTP_URL
  APP_URL API_URL BASE_URL SITE_URL ROOT_URL APP_KEY APP_SECRET APP_ENV JWT_SECRET SECRET_KEY COOKIE_SECRET AES_SECRET
  SESSION_TIMEOUT STRIPE_API_KEY GIPHY_API_KEY OPENAI_API_KEY SENDGRID_API_KEY DATADOG_API_KEY DD_API_KEY
  FFMPEG_PATH FFMPEG_BIN CHROMIUM_PATH TEST_POSTGRES_URL TEST_NATS_URL TEST_WORDS GF_SERVER_ROOT_URL LOG_FORMAT LOG_FILE
  port host demo region Path SystemRoot ComSpec APPDATA ProgramFiles windir
`
