import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { castMember, demoPassword } from '../../src/demo/people.ts'
import { browser, describeDatabases, type TestProduct } from '../../src/testing/a-product.ts'
import { personWithId } from '../people/person-store.server.ts'
import { loader as showPicture } from '../people/picture.ts'
import { savePicture } from '../people/picture-store.server.ts'
import { loader as sessionData } from '../session/session-data.ts'
import { signIn } from '../session/sign-in.server.ts'
import { action as changeLooks } from './change-looks.ts'
import { action as changePassword } from './change-password.ts'
import { action as changePicture } from './change-picture.ts'

/** A phone photo: wide, rotated by its metadata, and with its location. */
const photo = async () =>
  new Uint8Array(
    await sharp({ create: { width: 900, height: 600, channels: 3, background: '#6d28d9' } })
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer(),
  )

describeDatabases('settings', (open) => {
  let test: TestProduct
  beforeAll(async () => {
    test = await open()
  })
  afterAll(() => test.close())

  async function meiUploads(...files: [content: BlobPart, name: string, type: string][]) {
    const form = new FormData()
    for (const [content, name, type] of files) form.append('picture', new File([content], name, { type }))
    const mei = await test.signedIn('mei')
    return (await mei.call(changePicture, '/settings/picture', { form })).json()
  }

  const imageOfMei = async () => (await personWithId(test.product.database, castMember('mei').id))!.image

  const fetchPicture = (path: string) =>
    browser(test.product).call(showPicture, path, { params: { file: path.replace('/pictures/', '') } })

  it('[APP-28] a picture is stored small, square and without its metadata', async () => {
    expect(await meiUploads([await photo(), 'me.jpg', 'image/jpeg'])).toMatchObject({ type: 'success' })
    const image = (await imageOfMei())!
    expect(image).toMatch(/^\/pictures\/[0-9a-f]{32}\.webp$/)

    const answer = await fetchPicture(image)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
    const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect(picture).toMatchObject({ format: 'webp', width: 256, height: 256 })
    expect(picture.exif).toBeUndefined()
  })

  it('a new picture replaces the old one, and without one the initials are shown', async () => {
    await meiUploads([await photo(), 'one.jpg', 'image/jpeg'])
    const first = (await imageOfMei())!
    await meiUploads([await photo(), 'two.jpg', 'image/jpeg'])
    const second = (await imageOfMei())!
    await expect(fetchPicture(first)).resolves.toMatchObject({ status: 404 })
    await expect(fetchPicture(second)).resolves.toMatchObject({ status: 200 })
    await meiUploads()
    expect(await imageOfMei()).toBeNull()
    await expect(fetchPicture(second)).resolves.toMatchObject({ status: 404 })
  })

  it('of two concurrent pictures one is stored', async () => {
    const { database } = test.product
    await meiUploads([await photo(), 'me.jpg', 'image/jpeg'])
    const chosen = [await photo(), await photo(), await photo()]
    await Promise.all(chosen.map((one) => savePicture(database, castMember('mei').id, Buffer.from(one))))
    const { kysely } = database
    const kept = await kysely.selectFrom('picture').select('id').where('userId', '=', castMember('mei').id).execute()
    expect(kept.map(({ id }) => `/pictures/${id}.webp`)).toEqual([await imageOfMei()])
    await meiUploads()
  })

  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  it.each<[string, BlobPart, string, string]>([
    ['a drawing with a script that calls itself a photo', script, 'me.jpg', 'image/jpeg'],
    ['a drawing', script, 'me.svg', 'image/svg+xml'],
    ['a page that calls itself a photo', '<!doctype html><script>alert(1)</script>', 'me.png', 'image/png'],
    ['a beginning of a photo and nothing after it', '\u00ff\u00d8\u00ff', 'me.jpg', 'image/jpeg'],
    ['half a file', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8]), 'me.jpg', 'image/jpeg'],
    ['nothing', '', 'me.jpg', 'image/jpeg'],
  ])('refuses %s and keeps the old picture', async (_, content, name, type) => {
    await meiUploads([await photo(), 'me.jpg', 'image/jpeg'])
    const before = await imageOfMei()
    expect(await meiUploads([content, name, type])).toMatchObject({ type: 'error' })
    expect(await imageOfMei()).toBe(before)
  })

  it('refuses more than 10 MB without reading it into memory', async () => {
    const answer = await meiUploads([new Uint8Array(11 * 1_048_576), 'me.jpg', 'image/jpeg'])
    expect(answer).toEqual({ type: 'error', error: expect.stringContaining('10') })
  })

  it('a theme does not overwrite a language chosen at the same moment', async () => {
    const mei = await test.signedIn('mei')
    const meanwhile = async (args: Parameters<typeof changeLooks>[0]) => {
      await mei.call(changeLooks, '/settings/looks', { form: { language: 'ko' } })
      return changeLooks(args)
    }
    await mei.call(meanwhile, '/settings/looks', { form: { theme: 'dark' } })
    expect(await personWithId(test.product.database, castMember('mei').id)).toMatchObject({
      language: 'ko',
      theme: 'dark',
    })
  })

  it('[HTTP-15] a picture needs a session and the CSRF header', async () => {
    const form = new FormData()
    form.set('picture', new File([await photo()], 'me.jpg'))
    const mei = await test.signedIn('mei')
    expect((await mei.call(changePicture, '/settings/picture', { form, withoutCsrf: true })).status).toBe(403)
    const signedOut = await browser(test.product).call(changePicture, '/settings/picture', { form })
    expect(signedOut.headers.get('location')).toMatch(/^\/sign-in/)
  })

  it.each(['../me.webp', 'a.webp', `${'0'.repeat(32)}.webp`, `${'0'.repeat(32)}.svg`])(
    'there is no picture under %s',
    async (file) => {
      const answer = await browser(test.product).call(showPicture, `/pictures/${file}`, { params: { file } })
      expect(answer.status).toBe(404)
    },
  )

  it("guesses of the present password are limited in an open browser, too, and strangers' guesses do not count there", async () => {
    const lucia = await test.signsIn('lucia')
    const change = async (currentPassword: string) => {
      const form = { currentPassword, newPassword: 'a new password' }
      const answer = await (await lucia.call(changePassword, '/settings/password', { form })).json()
      return answer.type === 'success' ? 'changed' : answer.errors.currentPassword
    }
    const { email } = castMember('lucia')
    for (let count = 0; count < 12; count++)
      await signIn(test.product, { email, password: 'guess', address: `198.51.100.${count}` })
    const guesses = await Promise.all(Array.from({ length: 12 }, () => change('a guess')))
    expect(guesses.toSorted().slice(9, 11)).toEqual(['password.wrong', 'signIn.tooOften'])
    expect(await change(demoPassword)).toBe('signIn.tooOften')
  })

  it('a new password needs the present one, and signs every other browser out', async () => {
    const [here, there] = [await test.signsIn('ewa'), await test.signsIn('ewa')]
    const change = async (currentPassword: string, newPassword: string) =>
      (await here.call(changePassword, '/settings/password', { form: { currentPassword, newPassword } })).json()

    expect(await change('a guess', 'a new password')).toEqual({
      type: 'error',
      errors: { currentPassword: 'password.wrong' },
    })
    expect(await change(demoPassword, 'short')).toEqual({
      type: 'error',
      errors: { newPassword: 'password.tooShort' },
    })
    expect((await there.call(sessionData, '/session')).status).toBe(200)

    expect(await change(demoPassword, 'a new password')).toMatchObject({ type: 'success' })
    expect((await there.call(sessionData, '/session')).status).toBe(401)
    const { email } = castMember('ewa')
    const tries = ['a new password', demoPassword].map((password) =>
      signIn(test.product, { email, password, address: '192.0.2.99' }),
    )
    expect((await Promise.all(tries)).map(({ type }) => type)).toEqual(['success', 'refused'])
  })
})
