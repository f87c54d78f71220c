import { expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

/** Two users who have the same conversation open. */
async function together() {
  const group = await aGroup(product.stack, 'Harbour walks', ['ada-lindqvist', 'bo-nakamura'])
  const ada = await product.member('ada@northwind.example', group.path)
  const bo = await product.member('bo@kiku.example', group.path)
  await ada.composer.waitFor()
  await bo.composer.waitFor()
  return { group, ada, bo }
}

it('[THR-11] [THR-12] [THR-13] [THR-14] [THR-15] [THR-29] [THR-30] two users chat in a thread, one by keyboard and one by pointer', {
  timeout: 120_000,
}, async () => {
  const { group, ada, bo } = await together()
  await bo.says('Where do we meet on Friday?')
  await ada.sees('Where do we meet on Friday?')

  // Ada opens the thread from the message by keyboard, and types at once.
  const asked = new Set<string>()
  bo.page.on('request', (request) => asked.add(request.url()))
  await ada.message('Where do we meet on Friday?').focus()
  await ada.page.keyboard.press('t')
  const adas = ada.page.getByRole('complementary', { name: 'Thread' })
  await adas.getByText('No replies yet').waitFor()
  await expect.poll(() => adas.getByRole('textbox').evaluate((it) => it === document.activeElement)).toBe(true)
  await ada.page.keyboard.type('By the harbour')
  await ada.page.keyboard.press('Enter')
  await adas.getByText('By the harbour').waitFor()
  expect(new URL(ada.page.url()).searchParams.get('thread')).toBeTruthy()

  // Bo sees only that there is a reply, and opens it.
  const replies = bo.message('Where do we meet on Friday?').getByRole('button', { name: '1 reply' })
  await replies.waitFor()
  expect(await bo.page.getByText('By the harbour').count()).toBe(0)
  await replies.click()
  const bos = bo.page.getByRole('complementary', { name: 'Thread' })
  await bos.getByText('By the harbour').waitFor()
  const query = new URL([...asked].find((url) => /\/threads\//.test(url))!).searchParams
  expect([query.get('participant_limit'), query.get('reply_limit')]).toEqual(['100', '3'])

  // A reply that is also sent to the channel appears in both.
  await bos.getByRole('checkbox', { name: /^Also send to/ }).check()
  await bos.getByRole('textbox').fill('Then at noon')
  await bos.getByRole('textbox').press('Enter')
  await adas.getByText('Then at noon').waitFor()
  const feed = ada.page.getByRole('feed', { name: 'Messages' })
  await feed.getByText('Then at noon').waitFor()
  await feed.getByRole('button', { name: 'replied to a thread' }).waitFor()
  expect(await feed.getByText('By the harbour').count()).toBe(0)
  expect(await bos.getByRole('checkbox').isChecked()).toBe(false)
  await ada.isAccessible('thread')

  // The thread's draft is kept apart from the channel's.
  await adas.getByRole('textbox').fill('Half a reply')
  await adas.getByRole('button', { name: 'Close thread' }).click()
  await adas.waitFor({ state: 'detached' })
  expect(await ada.composer.inputValue()).toBe('')
  await ada.page.goBack()
  await expect.poll(() => adas.getByRole('textbox').inputValue()).toBe('Half a reply')

  // On a phone the thread covers the conversation; Escape returns to its message.
  await ada.page.setViewportSize({ width: 390, height: 800 })
  await ada.takesPicture('thread-phone')
  expect(await ada.composer.isVisible()).toBe(false)
  await adas.getByRole('textbox').fill('')
  await adas.getByRole('textbox').press('Escape')
  await adas.waitFor({ state: 'detached' })
  const parent = ada.message('Where do we meet on Friday?')
  await expect.poll(() => parent.evaluate((it) => it === document.activeElement)).toBe(true)

  // Bo's inbox lists the thread, and opens it.
  await bo.page.goto('/chat')
  await bo.page.getByRole('link', { name: group.name }).first().waitFor()
  const sent = bo.page.waitForRequest((request) => request.method() === 'POST' && /\/threads\b/.test(request.url()))
  await bo.page.getByRole('button', { name: /^Threads/ }).click()
  expect((await sent).postDataJSON()).toMatchObject({ limit: 10, participant_limit: 10, reply_limit: 3 })
  // The newest of them is on top.
  const row = bo.page.getByRole('button', { name: /^Where do we meet on Friday/ }).first()
  await row.waitFor()
  await bo.takesPicture('thread-inbox')
  await bo.isAccessible('thread inbox')
  await row.press('Enter')
  await bos.getByText('By the harbour').waitFor()

  ada.isWell()
  bo.isWell()
})

it('[interface.md 4.2] the threads shortcut moves the focus when the inbox covers the focused element', async () => {
  const { ada } = await together()
  const { page } = ada
  const button = page.getByRole('button', { name: /^Threads/ })
  const hasFocus = (what: ReturnType<typeof page.locator>) => what.evaluate((it) => it === document.activeElement)

  await page.getByLabel('Search chats and messages').focus()
  await page.keyboard.press('Alt+Shift+T')
  await page.getByRole('heading', { name: 'Threads' }).waitFor()
  await expect.poll(() => hasFocus(button)).toBe(true)
  await page.getByRole('button', { name: 'Unread', exact: true }).focus()
  await page.keyboard.press('Alt+Shift+T')
  await page.getByRole('heading', { name: 'Messages' }).waitFor()
  await expect.poll(() => hasFocus(button)).toBe(true)

  // The user can keep typing.
  await ada.composer.focus()
  await page.keyboard.press('Alt+Shift+T')
  await page.getByRole('heading', { name: 'Threads' }).waitFor()
  await ada.settles()
  expect(await hasFocus(ada.composer)).toBe(true)
  ada.isWell()
})

it('[THR-16] a long thread loads page by page, keeps its parent message in view, and is read from the inbox', {
  timeout: 120_000,
}, async () => {
  const { group, ada, bo } = await together()
  await bo.says('It is a long story')
  await ada.sees('It is a long story')
  await bo.page.goto('/chat')
  await bo.page.getByRole('button', { name: 'Threads', exact: true }).waitFor()

  // Ada, on another device, posts it at once.
  const { company } = product.stack
  const [type, id] = group.cid.split(':') as [string, string]
  const channel = company.channel(type, id)
  const { messages } = await channel.query({ messages: { limit: 1 } })
  const parent_id = messages[0]!.id
  const user_id = 'ada-lindqvist'
  for (let part = 1; part <= 70; part++) await channel.sendMessage({ text: `Part ${part}`, parent_id, user_id })

  // Bo has one unread thread, filters by unread, and reads it with one press.
  await bo.page.getByRole('button', { name: 'Threads, 1 unread' }).waitFor()
  await bo.page.keyboard.press('Alt+Shift+T')
  const row = bo.page.getByRole('button', { name: /^It is a long story/ }).first()
  await row.waitFor()
  await bo.page.getByRole('button', { name: 'Unread', exact: true }).click()
  await row.waitFor()
  await bo.takesPicture('thread-inbox-unread')
  await bo.isAccessible('unread threads')
  await bo.page.getByRole('button', { name: 'Mark all read' }).click()
  await bo.page.getByRole('button', { name: 'Threads', exact: true }).waitFor()
  // The thread he has just read stays in the list until he filters again.
  await row.waitFor()
  await bo.page.getByRole('button', { name: 'All', exact: true }).click()
  await row.click()

  const limits: (string | null)[] = []
  ada.page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/replies')) limits.push(searchParams.get('limit'))
  })
  await ada.message('It is a long story').getByRole('button', { name: '70 replies' }).click()
  const adas = ada.page.getByRole('complementary', { name: 'Thread' })
  await adas.getByText('Part 70').waitFor()
  await adas.getByRole('img', { name: /^With / }).waitFor()
  expect(limits).toEqual(['50'])
  // The parent message stays above the replies while it is scrolled out of view.
  const above = adas.getByTitle(/^Go to the message from Bo/)
  await above.waitFor()
  await ada.takesPicture('thread-long')
  await ada.isAccessible('long thread')
  await adas.getByRole('feed').hover()
  await expect
    .poll(async () => {
      await ada.page.mouse.wheel(0, -2_000)
      return adas.getByText('Part 1', { exact: true }).count()
    })
    .toBe(1)
  expect(limits).toEqual(['50', '50'])
  await expect.poll(() => above.count()).toBe(0)

  // Bo replies meanwhile: Ada sees it in the thread alone, and jumps to his reply.
  const bos = bo.page.getByRole('complementary', { name: 'Thread' })
  await bos.getByRole('textbox').pressSequentially('And then?')
  await adas.getByText('Bo Nakamura is typing…').waitFor()
  expect(await ada.page.getByText('Bo Nakamura is typing…').count()).toBe(1)
  await bos.getByRole('textbox').press('Enter')
  await adas.getByRole('button', { name: '1 new message below, go to the newest' }).click()
  await adas.getByText('And then?').waitFor()

  // On a wide screen the conversation shows the message beside the thread.
  await adas.getByRole('button', { name: 'Show in the conversation' }).click()
  await expect
    .poll(() => ada.page.getByRole('feed', { name: 'Messages' }).getByText('It is a long story').isVisible())
    .toBe(true)

  ada.isWell()
  bo.isWell()
})
