import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { readSettings } from './settings.ts'

describe('settings', () => {
  it('are optional: without any the server runs on one machine', () => {
    assert.deepEqual(readSettings({}), {
      port: 3100,
      host: '127.0.0.1',
      databaseUrl: 'sqlite:./data/chat.sqlite',
      bus: undefined,
      databasePoolSize: 13,
      startWaitMs: 30_000,
      app: undefined,
      dataDir: './data',
      logLevel: 'info',
      publicUrl: undefined,
      gifs: 'built-in',
      rateLimits: { app: false, burst: false, userPerMinute: undefined, perMinute: undefined },
      guestsPerMinute: undefined,
      guestUploads: true,
      framesPerMinute: 120,
      callsInFlight: 500,
      queryTimeoutMs: 3_000,
      connectionsPerUser: 50,
      allowedPrivateHosts: [],
      filesUrl: 'file:./data/files',
      fileRetentionDays: 30,
      linkPreviews: true,
      imageProxy: undefined,
      ffmpeg: undefined,
      trustedProxies: [],
      nanosecondClients: ['getstream-python', 'stream-python'],
      region: undefined,
      drainSeconds: 0,
      translation: undefined,
      push: {
        firebase: 'https://fcm.googleapis.com',
        apn: undefined,
        huawei: 'https://push-api.cloud.huawei.com',
        huaweiTokens: 'https://oauth-login.cloud.huawei.com/oauth2/v3/token',
        xiaomi: 'https://api.xmpush.xiaomi.com',
      },
    })
  })

  it('are all read from the environment, and an empty one counts as missing', () => {
    const settings = readSettings({
      PORT: '8080',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://chat@db/chat',
      BUS_URL: 'nats://chat:p%40ss@one:4222,nats://two:4222',
      API_KEY: 'tea',
      API_SECRET: 'a secret that is long',
      DATA_DIR: '/data',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'https://chat.example.com/',
      GIF_SERVICE: 'giphy',
      GIPHY_KEY: 'leaf',
      CONNECTIONS_PER_USER: '7',
      DATABASE_POOL_SIZE: '40',
      START_WAIT_SECONDS: '5',
      RATE_LIMITS: 'user, burst',
      RATE_LIMIT_PER_MINUTE: '300',
      RATE_LIMIT_PER_USER: '90',
      GUESTS_PER_MINUTE: '3',
      GUEST_UPLOADS: 'on',
      FRAMES_PER_MINUTE: '60',
      CALLS_IN_FLIGHT: '200',
      QUERY_TIMEOUT_MS: '500',
      ALLOWED_PRIVATE_HOSTS: 'hooks.internal, 10.0.0.7:8080',
      FILES_URL: 's3://key:secret@s3.eu-west-1.amazonaws.com/files?region=eu-west-1',
      LINK_PREVIEWS: 'off',
      FILE_RETENTION_DAYS: '7',
      IMAGE_PROXY: 'on',
      IMAGE_PROXY_CACHE_MB: '3',
      FFMPEG: '/opt/ffmpeg',
      TRANSLATION_URL: 'http://translate.internal:5000/',
      TRANSLATION_KEY: 'k',
      FIREBASE_URL: 'http://firebase.internal/',
      APN_URL: 'https://apn.internal',
      HUAWEI_URL: 'https://huawei.internal',
      HUAWEI_TOKEN_URL: 'https://huawei.internal/token',
      XIAOMI_URL: 'https://xiaomi.internal',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      NANOSECOND_CLIENTS: 'clock-watcher, other',
      REGION: 'eu-west',
      DRAIN_SECONDS: '10',
    })
    assert.deepEqual(settings, {
      port: 8080,
      host: '0.0.0.0',
      databasePoolSize: 40,
      startWaitMs: 5_000,
      databaseUrl: 'postgres://chat@db/chat',
      bus: {
        servers: ['one:4222', 'two:4222'],
        isEncrypted: false,
        login: { user: 'chat', pass: 'p@ss' },
        credentialsFile: undefined,
        caFile: undefined,
        certFile: undefined,
        keyFile: undefined,
      },
      app: { key: 'tea', secret: 'a secret that is long' },
      dataDir: '/data',
      logLevel: 'warn',
      publicUrl: 'https://chat.example.com',
      gifs: { url: 'https://api.giphy.com', key: 'leaf' },
      rateLimits: { app: true, burst: true, userPerMinute: 90, perMinute: 300 },
      guestsPerMinute: 3,
      guestUploads: true,
      framesPerMinute: 60,
      callsInFlight: 200,
      queryTimeoutMs: 500,
      connectionsPerUser: 7,
      allowedPrivateHosts: ['hooks.internal', '10.0.0.7:8080'],
      filesUrl: 's3://key:secret@s3.eu-west-1.amazonaws.com/files?region=eu-west-1',
      fileRetentionDays: 7,
      linkPreviews: false,
      imageProxy: { folder: '/data/images', cacheBytes: 3 * 1_048_576 },
      ffmpeg: '/opt/ffmpeg',
      trustedProxies: ['10.0.0.0/8', '::1'],
      nanosecondClients: ['clock-watcher', 'other'],
      region: 'eu-west',
      drainSeconds: 10,
      translation: { url: 'http://translate.internal:5000', key: 'k' },
      push: {
        firebase: 'http://firebase.internal',
        apn: 'https://apn.internal',
        huawei: 'https://huawei.internal',
        huaweiTokens: 'https://huawei.internal/token',
        xiaomi: 'https://xiaomi.internal',
      },
    })
    assert.equal(readSettings({ NODE_ENV: 'development' }).connectionsPerUser, 3)
    assert.deepEqual(
      readSettings({ PORT: '', DATABASE_URL: '', BUS_URL: '', LOG_LEVEL: '', API_KEY: '' }),
      readSettings({}),
    )
  })

  it('[SET-6] have safe defaults on a public server', () => {
    const careful = (env: Record<string, string>) => {
      const { rateLimits, guestsPerMinute, guestUploads } = readSettings(env)
      return [rateLimits.userPerMinute, guestsPerMinute, guestUploads]
    }
    const here = [
      {},
      { HOST: 'localhost' },
      { HOST: '::1' },
      { HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1:3100' },
      { PUBLIC_URL: 'http://[::1]:3100' },
      { PUBLIC_URL: 'http://chat.localhost' },
    ]
    for (const env of here) assert.deepEqual(careful(env as never), [undefined, undefined, true], JSON.stringify(env))
    const open = [
      { HOST: '0.0.0.0' },
      { HOST: '::' },
      { HOST: '10.0.0.1' },
      { PUBLIC_URL: 'https://api.example.com' },
      { PUBLIC_URL: 'https://localhost.example.com' },
    ]
    for (const env of open) assert.deepEqual(careful(env as never), [300, 20, false], JSON.stringify(env))
    const own = { HOST: '0.0.0.0', RATE_LIMITS: 'off', GUESTS_PER_MINUTE: '0', GUEST_UPLOADS: 'on' }
    assert.deepEqual(careful(own), [undefined, 0, true])
    assert.deepEqual(careful({ HOST: '0.0.0.0', RATE_LIMIT_PER_USER: '10' }), [10, 20, false])
    assert.deepEqual(careful({ HOST: '0.0.0.0', RATE_LIMITS: 'app' }), [undefined, 20, false])
    assert.deepEqual(careful({ RATE_LIMITS: 'user' }), [60, undefined, true])
    for (const env of [{ RATE_LIMITS: 'off, user' }, { RATE_LIMITS: 'off', RATE_LIMIT_PER_MINUTE: '5' }])
      assert.throws(() => readSettings(env as never), /RATE_LIMITS is off/)
  })

  it('allow several nodes to keep files in a folder declared as shared', () => {
    const cluster = { BUS_URL: 'nats://one:4222', DATABASE_URL: 'postgres://chat@db/chat' }
    const shared = readSettings({ ...cluster, FILES_URL: 'file:/mnt/files', FILES_SHARED: 'on' })
    assert.equal(shared.filesUrl, 'file:/mnt/files')
    assert.deepEqual(readSettings({ ...cluster, FILES_URL: 's3://k:s@host/bucket' }).bus?.servers, ['one:4222'])
  })

  it('that are numbers have bounds', () => {
    const bounds = {
      PORT: [0, 65_535],
      DATABASE_POOL_SIZE: [4, 1_000],
      START_WAIT_SECONDS: [0, 3_600],
      FILE_RETENTION_DAYS: [0, 36_500],
      IMAGE_PROXY_CACHE_MB: [1, 1_000_000],
      DRAIN_SECONDS: [0, 3_600],
      RATE_LIMIT_PER_MINUTE: [0, 1_000_000],
      RATE_LIMIT_PER_USER: [1, 1_000_000],
      GUESTS_PER_MINUTE: [0, 1_000_000],
      FRAMES_PER_MINUTE: [10, 1_000_000],
      CALLS_IN_FLIGHT: [1, 1_000_000],
      QUERY_TIMEOUT_MS: [100, 60_000],
      CONNECTIONS_PER_USER: [1, 10_000],
    } as const
    for (const [name, [least, most]] of Object.entries(bounds)) {
      for (const value of [least, most]) readSettings({ [name]: `${value}` })
      for (const value of [least - 1, most + 1])
        assert.throws(
          () => readSettings({ [name]: `${value}` }),
          new RegExp(`^SettingError: ${name}`),
          `${name}=${value}`,
        )
    }
  })

  it('without an amount keep the default', () => {
    const { imageProxy, rateLimits } = readSettings({
      IMAGE_PROXY: 'on',
      RATE_LIMITS: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
    })
    assert.deepEqual(imageProxy, { folder: './data/images', cacheBytes: 512 * 1_048_576 })
    assert.deepEqual(rateLimits, { app: false, burst: false, userPerMinute: undefined, perMinute: undefined })
    assert.equal(readSettings({ GIF_SERVICE: 'off' }).gifs, undefined)
    assert.equal(readSettings({ GIF_SERVICE: 'built-in' }).gifs, 'built-in')
    const own = { GIF_SERVICE: 'giphy', GIPHY_KEY: 'leaf', GIPHY_URL: 'https://gifs.example' }
    assert.deepEqual(readSettings(own).gifs, { url: 'https://gifs.example', key: 'leaf' })
  })

  it('that are invalid stop the server with one line that names them', () => {
    const shared = { DATABASE_URL: 'postgres://chat@db/chat' }
    const wrong: [env: Record<string, string>, name: string][] = [
      [{ PORT: 'http' }, 'PORT'],
      [{ PORT: '70000' }, 'PORT'],
      [{ PORT: '-1' }, 'PORT'],
      [{ PORT: '80.5' }, 'PORT'],
      [{ PORT: '0x50' }, 'PORT'],
      [{ HOST: 'http://0.0.0.0' }, 'HOST'],
      [{ DATABSE_URL: 'postgres://chat@db/chat' }, 'did you mean DATABASE_URL?'],
      [{ DATABASE_URL: 'postgres://chat:p@ss#word@db/chat' }, 'DATABASE_URL'],
      [{ DATABASE_URL: '"postgres://chat@db/chat"' }, 'DATABASE_URL'],
      [{ DATABASE_URL: 'mysql://db/chat' }, 'DATABASE_URL'],
      [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL'],
      [{ BUS_URL: 'redis://one', DATABASE_URL: 'postgres://chat@db/chat' }, 'BUS_URL'],
      [{ BUS_URL: 'nats://one,two', DATABASE_URL: 'postgres://chat@db/chat' }, 'BUS_URL'],
      [{ BUS_URL: 'nats://one:4222' }, 'BUS_URL'],
      [{ BUS_URL: 'nats://one:4222', DATABASE_URL: 'postgres://chat@db/chat' }, 'FILES_URL'],
      [
        { BUS_URL: 'nats://one:4222', DATABASE_URL: 'postgres://chat@db/chat', FILES_URL: 'file:/mnt/files' },
        'FILES_SHARED=on',
      ],
      [{ FILES_SHARED: 'yes' }, 'FILES_SHARED'],
      [{ BUS_URL: 'nats://one:4222,tls://two:4222', ...shared }, 'BUS_URL'],
      [{ BUS_URL: 'nats://a:b@one,nats://a:c@two', ...shared }, 'BUS_URL'],
      [{ BUS_URL: 'nats://a:%zz@one', ...shared }, 'BUS_URL'],
      [{ BUS_URL: 'nats://one:many', ...shared }, 'BUS_URL'],
      [{ BUS_CREDENTIALS: '/run/bus.creds' }, 'BUS_CREDENTIALS'],
      [{ BUS_URL: 'nats://one', BUS_CREDENTIALS: '/no/such.creds', ...shared }, 'BUS_CREDENTIALS'],
      [{ BUS_URL: 'nats://one', BUS_CREDENTIALS: import.meta.filename, ...shared }, 'BUS_CREDENTIALS'],
      [{ BUS_URL: 'nats://me@one', BUS_CREDENTIALS: import.meta.filename, ...shared }, 'BUS_CREDENTIALS'],
      [{ BUS_URL: 'tls://one', BUS_CA: '/no/such.pem', ...shared }, 'BUS_CA'],
      [{ BUS_URL: 'tls://one', BUS_CA: import.meta.dirname, ...shared }, 'BUS_CA'],
      [{ BUS_URL: 'tls://one', BUS_CA: import.meta.filename, ...shared }, 'BUS_CA'],
      [{ BUS_URL: 'nats://one', BUS_CA: import.meta.filename, ...shared }, 'BUS_CA'],
      [{ BUS_URL: 'tls://one', BUS_CERT: import.meta.filename, ...shared }, 'BUS_KEY'],
      [{ BUS_URL: 'tls://one', BUS_KEY: import.meta.filename, ...shared }, 'BUS_CERT'],
      [{ API_KEY: 'tea' }, 'API_KEY'],
      [{ API_SECRET: 'a secret that is long' }, 'API_SECRET'],
      [{ API_KEY: 'tea', API_SECRET: 'short' }, 'API_SECRET'],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
      [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL'],
      [{ PUBLIC_URL: 'chat' }, 'PUBLIC_URL'],
      [{ PUBLIC_URL: 'localhost:3100' }, 'PUBLIC_URL'],
      [{ TRANSLATION_URL: 'translate:5000' }, 'TRANSLATION_URL'],
      [{ GIF_SERVICE: 'tenor' }, 'GIF_SERVICE'],
      [{ GIF_SERVICE: 'giphy' }, 'GIPHY_KEY'],
      [{ GIF_SERVICE: 'giphy', GIPHY_KEY: 'leaf', GIPHY_URL: 'giphy' }, 'GIPHY_URL'],
      [{ APN_URL: 'ftp://apn.example' }, 'APN_URL'],
      [{ HUAWEI_TOKEN_URL: 'huawei' }, 'HUAWEI_TOKEN_URL'],
      [{ RATE_LIMITS: 'app,all' }, 'RATE_LIMITS'],
      [{ RATE_LIMIT_PER_MINUTE: 'many' }, 'RATE_LIMIT_PER_MINUTE'],
      [{ RATE_LIMIT_PER_USER: '0' }, 'RATE_LIMIT_PER_USER'],
      [{ DATABASE_POOL_SIZE: '3' }, 'DATABASE_POOL_SIZE'],
      [{ START_WAIT_SECONDS: '-1' }, 'START_WAIT_SECONDS'],
      [{ DATABASE_POOL_SIZE: 'many' }, 'DATABASE_POOL_SIZE'],
      [{ ALLOWED_PRIVATE_HOSTS: 'http://10.0.0.7' }, 'ALLOWED_PRIVATE_HOSTS'],
      [{ FILES_URL: 'ftp://files/' }, 'FILES_URL'],
      [{ FILES_URL: 's3://bucket' }, 'FILES_URL'],
      [{ FILES_URL: 's3://key:a b%@host name/bucket' }, 'what is special in key and secret is written as %xx'],
      [{ LINK_PREVIEWS: 'maybe' }, 'LINK_PREVIEWS'],
      [{ TRUSTED_PROXIES: 'nginx' }, 'TRUSTED_PROXIES'],
      [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
      [{ TRUSTED_PROXIES: '10.0.0.0/' }, 'TRUSTED_PROXIES'],
    ]
    for (const [env, name] of wrong)
      assert.throws(
        () => readSettings(env),
        ({ message }: Error) => message.includes(name) && !message.includes('\n'),
        JSON.stringify(env),
      )
  })
})
