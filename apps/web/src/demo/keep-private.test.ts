import { expect, it, onTestFinished } from 'vitest'
import { isThisMachine } from '../../../process/this-machine.ts'
import { signIn } from '../../app/session/sign-in.server.ts'
import { describeDatabases, type TestProduct } from '../testing/a-product.ts'
import { isDemoSignIn, keepDemoPrivate } from './keep-private.ts'
import { castMember, demoPassword } from './people.ts'

const PUBLIC = 'https://chat.example.com'
const [ada, bo, cleo] = [castMember('ada'), castMember('bo'), castMember('cleo')]

it.each([
  ['http://localhost:3000', true],
  ['http://LOCALHOST:3000', true],
  ['http://localhost.:3000', true],
  ['http://parley.localhost', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.1.2.3', true],
  ['http://127.1', true],
  ['http://2130706433', true],
  ['http://[::1]:3000', true],
  ['http://[0:0::1]', true],
  ['http://0.0.0.0:3000', false],
  ['http://[::]', false],
  ['http://10.0.0.1', false],
  ['http://128.0.0.1', false],
  ['http://192.168.1.7:3000', false],
  ['http://[fe80::1]', false],
  ['http://parley', false],
  ['http://localhost.example.com', false],
  ['http://notlocalhost', false],
  ['http://127.0.0.1.example.com', false],
  ['https://chat.example.com', false],
])('%s is this machine: %s', (url, isHere) => {
  expect(isThisMachine(url)).toBe(isHere)
})

describeDatabases('the demo', (open) => {
  async function opened(options?: Parameters<typeof open>[0]): Promise<TestProduct> {
    const test = await open(options)
    onTestFinished(() => test.close())
    return test
  }
  const refuses = (test: TestProduct, demo: 'on' | 'off' = 'off') =>
    expect(keepDemoPrivate(test.product, { demo, publicUrl: PUBLIC })).rejects.toThrow(
      /^PUBLIC_URL https:\/\/chat\.example\.com [^\n]+ \d+ demo people, [^\n]+ DEMO=lock, [^\n]+$/,
    )
  const passes = async ({ product }: TestProduct, publicUrl = PUBLIC) =>
    keepDemoPrivate(product, { demo: 'off', publicUrl })
  let addresses = 0
  const tries = async ({ product }: TestProduct, email: string, password = demoPassword) =>
    (await signIn(product, { email, password, address: `10.1.0.${++addresses}` })).type

  it('[APP-37] works on this machine, and is refused at every other address', async () => {
    const test = await opened()
    await passes(test, 'http://localhost:3000')
    await refuses(test)
    await refuses(test, 'on')
    expect(await tries(test, ada.email)).toBe('success')
  })

  it('is recognized whatever its users are called, down to the last of them', async () => {
    const test = await opened()
    const { kysely } = test.product.database
    const renamed = { email: 'ceo@company.example', givenName: 'Grace', familyName: 'Hopper', name: 'Grace Hopper' }
    await kysely.updateTable('user').set(renamed).where('id', '=', ada.id).execute()
    await kysely.updateTable('organization').set({ name: 'A Company', metadata: null }).execute()
    await kysely.deleteFrom('user').where('id', '!=', ada.id).execute()
    await refuses(test)
    await keepDemoPrivate(test.product, { demo: 'lock', publicUrl: PUBLIC })
    expect(await tries(test, renamed.email)).toBe('refused')
    await passes(test)
  })

  it('[APP-37] may be locked: none of its users can sign in, and other users are unaffected', async () => {
    const test = await opened()
    const { database, auth } = test.product
    const { password } = await auth.$context
    const own = await password.hash('a password of her own')
    await database.kysely.updateTable('account').set({ password: own }).where('userId', '=', bo.id).execute()
    const newcomer = {
      ...(await database.kysely.selectFrom('user').selectAll().where('id', '=', cleo.id).executeTakeFirstOrThrow()),
      id: 'newcomer',
      email: 'eve@company.example',
    }
    await database.kysely.insertInto('user').values(newcomer).execute()
    const account = await database.kysely
      .selectFrom('account')
      .selectAll()
      .where('userId', '=', cleo.id)
      .executeTakeFirstOrThrow()
    await database.kysely
      .insertInto('account')
      .values({ ...account, id: 'newcomer', accountId: 'newcomer', userId: 'newcomer', password: own })
      .execute()
    const browser = await test.signedIn('ada')
    expect(browser).toBeDefined()

    await keepDemoPrivate(test.product, { demo: 'lock', publicUrl: PUBLIC })
    expect(await tries(test, ada.email)).toBe('refused')
    expect(await tries(test, cleo.email)).toBe('refused')
    expect(await tries(test, bo.email, 'a password of her own')).toBe('success')
    expect(await tries(test, newcomer.email, 'a password of her own')).toBe('success')
    const sessions = await database.kysely.selectFrom('session').select('userId').execute()
    expect(new Set(sessions.map(({ userId }) => userId))).toEqual(new Set([bo.id, newcomer.id]))
    const ended = await database.kysely
      .selectFrom('user')
      .select('chatEndedAt')
      .where('id', '=', ada.id)
      .executeTakeFirst()
    expect(ended?.chatEndedAt).toBeTruthy()
    // From then on it may run anywhere, also without the setting.
    await passes(test)
    await keepDemoPrivate(test.product, { demo: 'lock', publicUrl: PUBLIC })
  })

  it('[APP-37] refuses its users at a public address, also those added after the start', async () => {
    const test = await opened()
    test.product.isClosedTo = isDemoSignIn
    expect(await tries(test, ada.email)).toBe('refused')
    expect(await tries(test, ada.email.toUpperCase())).toBe('refused')
    expect(await tries(test, ada.email, 'a guess')).toBe('refused')
    // The demo's password, but not one of its users.
    await test.product.database.kysely
      .insertInto('user')
      .values({
        ...(await test.product.database.kysely
          .selectFrom('user')
          .selectAll()
          .where('id', '=', ada.id)
          .executeTakeFirstOrThrow()),
        id: 'newcomer',
        email: 'eve@company.example',
      })
      .execute()
    await test.product.database.kysely
      .insertInto('account')
      .values({
        ...(await test.product.database.kysely
          .selectFrom('account')
          .selectAll()
          .where('userId', '=', ada.id)
          .executeTakeFirstOrThrow()),
        id: 'newcomer',
        accountId: 'newcomer',
        userId: 'newcomer',
      })
      .execute()
    expect(await tries(test, 'eve@company.example')).toBe('success')
  })

  it('is not in a product with a first owner', async () => {
    await passes(await opened({ empty: true }))
  })
})
