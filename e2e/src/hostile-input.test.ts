import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const LONG = 'a'.repeat(4_500)
/** Right-to-left override, a hidden end, and characters that reorder what follows. */
const BIDI = '\u202eevil\u2066 gpj.exe \u2067שלום\u2069 مرحبا'
const INVISIBLE = '\u200b\u200d\u2060\ufeff'
const STACKED = `Z${'\u0351\u0334'.repeat(60)}algo`
/** Each sets `window.broken` if any part of it runs. */
const MARKUP = [
  '<img src=x onerror="window.broken=1">',
  '<script>window.broken=1</script>',
  '<svg onload="window.broken=1"><a xlink:href="javascript:window.broken=1">x</a></svg>',
  '[a link](javascript:window.broken=1) and ![a picture](x"onerror="window.broken=1)',
  '<iframe srcdoc="<script>parent.broken=1</script>"></iframe>',
  '[data](data:text/html,<script>opener.broken=1</script>) "><style>*{display:none}</style>',
]
/** Nested deeper, and with more unclosed marks, than a page can render or parse. */
const TANGLED = ['>'.repeat(4_500), '1. '.repeat(1_500), '*_'.repeat(2_250)]
const TEXTS = [
  LONG,
  BIDI,
  INVISIBLE,
  STACKED,
  ...MARKUP,
  ...TANGLED,
  `\`\`\`html\n${LONG.slice(0, 900)}\n\`\`\``,
  `> ${LONG.slice(0, 900)}`,
]
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

describe('hostile input', () => {
  const product = theProduct()
  let people: { ada: string; bo: string }

  beforeAll(async () => {
    const { users } = await product.stack.company.queryUsers({ name: { $in: ['Bo Nakamura', 'Ada Lindqvist'] } })
    const idOf = (name: string) => users.find((user) => user.name === name)!.id
    people = { ada: idOf('Ada Lindqvist'), bo: idOf('Bo Nakamura') }
  })

  /** Ada on a page that records every sign of an injection. */
  async function ada(path: string, options = {}) {
    const visitor = await product.member('ada@northwind.example', path, options)
    visitor.page.on('dialog', (dialog) => {
      visitor.faults.push(`a dialog said ${dialog.message()}`)
      void dialog.dismiss()
    })
    return visitor
  }

  /** A group of Ada and a user with the given name, and a message of that user. */
  async function aGroup(
    id: string,
    name: string,
    texts: readonly string[],
    author = `author-${id}`,
    authorName = 'Mo',
  ) {
    const { company } = product.stack
    await company.upsertUsers([{ id: author, name: authorName }])
    const channel = company.channel('messaging', id, { created_by_id: author, members: [people.ada, author], name })
    await channel.create()
    for (const text of texts) await channel.sendMessage({ text, user_id: author })
    return channel
  }

  it.each([
    ['on a phone', PHONE],
    ['on a desk', {}],
  ])('text stays text, and inside the page, %s', { timeout: 180_000 }, async (shape, options) => {
    const id = `texts-${shape.length}`
    await aGroup(id, 'Words', TEXTS)
    const reader = await ada(`/chat/messaging:${id}`, options)
    await reader.message('aaaa').waitFor()
    await reader.settles()
    for (const markup of ['<script>', 'onerror=', '<iframe', 'javascript:window'])
      await reader.page.getByRole('article').filter({ hasText: markup }).first().waitFor()
    await nothingBroke(reader)
    for (let page = 0; page < 6; page++) {
      await reader.page.getByRole('article').last().focus()
      await reader.page.keyboard.press('PageUp')
      await staysInside(reader)
    }
    await reader.takesPicture(`hostile-texts-${shape.replaceAll(' ', '-')}`)
    await nothingBroke(reader)
  })

  it.each([
    ['markup', '<img src=x onerror="window.broken=1"><b>bold</b>'],
    ['one long word', 'W'.repeat(255)],
    ['bidirectional tricks', BIDI],
    ['stacked marks', STACKED],
    ['nothing that is seen', INVISIBLE],
  ])('user and group names with %s break neither list nor header', { timeout: 120_000 }, async (kind, name) => {
    const id = `names-${kind.replaceAll(' ', '-')}`
    await aGroup(id, name, ['I have an interesting name'], `author-${id}`, name)
    for (const options of [PHONE, {}]) {
      const reader = await ada('/chat', options)
      await reader.page.locator(`a[href*="${id}"]`).first().waitFor()
      await staysInside(reader)
      await reader.page.locator(`a[href*="${id}"]`).first().click()
      await reader.sees('I have an interesting name')
      await staysInside(reader)
      await nothingBroke(reader)
      // Every user still has a visible name.
      const [author] = await reader.page.locator('.chat-message-author bdi').allInnerTexts()
      expect(author?.replace(/[\p{Cf}\s]/gu, ''), kind).not.toBe('')
    }
  })

  it('polls with hostile questions and options stay text', { timeout: 120_000 }, async () => {
    const channel = await aGroup('polls', 'Polls', [])
    for (const text of [...MARKUP, LONG.slice(0, 255), BIDI])
      await product.stack.company
        .createPoll({
          name: text.slice(0, 255),
          options: [{ text: text.slice(0, 255) }, { text: 'No' }],
          user_id: 'author-polls',
        } as never)
        .then(({ poll }) => channel.sendMessage({ text: '', poll_id: poll.id, user_id: 'author-polls' }))
    const reader = await ada('/chat/messaging:polls', PHONE)
    await reader.page.getByText('No', { exact: true }).last().waitFor()
    await staysInside(reader)
    await nothingBroke(reader)
    await reader.takesPicture('hostile-polls')
  })

  it('a hostile text is sent unchanged', { timeout: 120_000 }, async () => {
    await aGroup('own', 'Own words', ['Go ahead'])
    const writer = await ada('/chat/messaging:own', PHONE)
    await writer.sees('Go ahead')
    for (const text of [LONG, BIDI, ...MARKUP]) {
      await writer.composer.fill(text)
      await staysInside(writer)
      // On a touch keyboard only the button sends.
      await writer.page.getByRole('button', { name: 'Send' }).last().click()
      await expect.poll(() => writer.composer.inputValue()).toBe('')
    }
    await expect.poll(async () => (await lastTexts('own', MARKUP.length)).toSorted()).toEqual([...MARKUP].toSorted())
    await staysInside(writer)
    await nothingBroke(writer)
  })

  it('fifty messages at once arrive once each, in order, and leave the draft alone', {
    timeout: 120_000,
  }, async () => {
    // A retried test finds the messages of its first run as well.
    const id = `burst-${randomUUID()}`
    const channel = await aGroup(id, 'Burst', ['Ready'])
    const reader = await ada(`/chat/messaging:${id}`)
    await reader.sees('Ready')
    await reader.composer.pressSequentially('Half a ')
    const burst = Array.from({ length: 50 }, (_, n) => `shot ${n} of fifty`)
    const sent = Promise.all(burst.map((text) => channel.sendMessage({ text, user_id: `author-${id}` })))
    await reader.page.keyboard.type('sentence', { delay: 20 })
    await sent
    const order = await lastTexts(id, 50)
    await reader.sees(order.at(-1)!)
    const seen = () =>
      reader.page
        .getByRole('article')
        .evaluateAll((rows) => rows.flatMap((row) => row.textContent?.match(/shot \d+ of fifty/)?.[0] ?? []))
    await expect.poll(seen).toEqual(order)
    expect(await reader.composer.inputValue()).toBe('Half a sentence')
    expect(await reader.composer.evaluate((box) => box === document.activeElement)).toBe(true)
    reader.isWell()
  })

  it('the product’s fields accept anything and show it as text', { timeout: 120_000 }, async () => {
    const visitor = await ada('/', PHONE)
    const open = visitor.page.getByRole('button', { name: 'New chat' }).first()
    await open.click()
    // On a phone the chat that is started last is a dialog as well.
    const dialog = visitor.page.getByRole('dialog', { name: /^(New chat|New group|About the group)$/ })
    for (const text of [LONG, BIDI, ...MARKUP]) {
      await dialog.getByLabel('Search people').fill(text)
      await dialog
        .getByText('Nobody found for')
        .filter({ hasText: text.slice(0, 5) })
        .waitFor()
      await staysInside(visitor)
    }
    await dialog.getByLabel('Search people').fill('')
    await dialog.getByRole('listitem').first().waitFor()
    await dialog.getByRole('button', { name: 'New group' }).click()
    for (const box of [0, 1]) await dialog.getByRole('checkbox').nth(box).click()
    await dialog.getByRole('button', { name: 'Next', exact: true }).click()
    await dialog.getByLabel('Group name').fill(MARKUP[0]!)
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await visitor.page.getByText(MARKUP[0]!).filter({ visible: true }).first().waitFor()
    await staysInside(visitor)
    await nothingBroke(visitor)
  })

  async function lastTexts(id: string, count: number): Promise<string[]> {
    const { messages } = await product.stack.company.channel('messaging', id).query({ messages: { limit: count } })
    return messages.map(({ text }) => text as string)
  }
})

/** No script ran, no dialog opened, no text became an element. */
async function nothingBroke(visitor: Visitor) {
  const found = await visitor.page.evaluate(() => ({
    broken: 'broken' in window,
    elements: document.querySelectorAll('article :is(script, iframe, style), article img[onerror], article svg[onload]')
      .length,
    links: [...document.querySelectorAll('a[href]')]
      .map((link) => link.getAttribute('href')!)
      .filter((href) => /^(javascript|data|vbscript):/i.test(href.trim())),
  }))
  expect(found).toEqual({ broken: false, elements: 0, links: [] })
  visitor.isWell()
}

/** Nothing makes the page wider than the window, and nothing is cut off at its edge. */
async function staysInside(visitor: Visitor) {
  const outside = await visitor.page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const wide = document.documentElement.scrollWidth > width + 1 ? ['the page itself'] : []
    // Text that ends in an ellipsis, or scrolls sideways on purpose, is visible within its box.
    const seen = (element: Element, part: Element) => {
      let { left, right } = element.getBoundingClientRect()
      for (let at = element.parentElement; at && part.contains(at); at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'visible') continue
        const box = at.getBoundingClientRect()
        left = Math.max(left, box.left)
        right = Math.min(right, box.right)
      }
      return { left, right }
    }
    for (const part of document.querySelectorAll('article, header, [role=dialog], .chat-composer, .chat-channel-row'))
      for (const element of part.querySelectorAll('*')) {
        if (element.clientWidth < 2 || !element.checkVisibility() || element.closest('.chat-hidden')) continue
        const { left, right } = seen(element, part)
        if (right > left && (right > width + 1 || left < -1))
          wide.push(`${element.className || element.parentElement?.className} ${Math.round(left)}…${Math.round(right)}`)
      }
    return wide.slice(0, 5)
  })
  expect(outside).toEqual([])
}
