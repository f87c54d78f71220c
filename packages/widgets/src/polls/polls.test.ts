import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import type { FakePoll } from '../testing/fake-server.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const pollOfBo = { name: 'Where do we eat?', options: ['Noodles', 'Pizza', 'Salad'], created_by_id: 'bo' }
const can = ['read-events', 'send-message', 'send-poll', 'cast-poll-vote', 'send-reaction', 'quote-message']

/** Ada opens her conversation with Bo, and a poll arrives. */
async function adaSees(poll: Partial<FakePoll> = {}, capabilities: readonly string[] = can) {
  await page.evaluate(
    async ([poll, capabilities]) => {
      const conversations = window.kitFixture.aWorkingDay()
      const withBo = conversations.find(({ id }) => id === 'bo')
      if (withBo) withBo.capabilities = capabilities
      await window.kitFixture.start({ open: 'bo', conversations })
      window.kitFixture.server().asks('bo', window.kitFixture.bo, poll)
    },
    [{ ...pollOfBo, ...poll }, capabilities] as const,
  )
  await page.locator('.chat-poll-name').waitFor()
}

const option = (name: string) => page.locator('.chat-poll-option').filter({ hasText: name })
const spoken = (text: string) => page.locator('[aria-live=polite]').getByText(text, { exact: true }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const isChecked = (name: string) => option(name).getAttribute('aria-checked')
const hasFocus = (selector: string) => page.waitForFunction((s) => document.activeElement?.matches(s), selector)

describe('a poll in a message', () => {
  it('[POL-29][POL-4] shows the question, counts at once, and announces the vote', async () => {
    await adaSees()
    await page.getByText('Choose one option').waitFor()
    expect(await page.locator('.chat-poll-buttons button').allTextContents()).toEqual(['View results'])
    await page.evaluate(() => window.kitFixture.server().hold())
    await option('Pizza').click()
    await page.getByRole('radio', { name: 'Pizza, 1 vote, 100%, your vote', exact: true }).waitFor()
    await page.evaluate(() => window.kitFixture.server().deliver())
    await spoken('You voted for Pizza')
    expect(await isChecked('Pizza')).toBe('true')

    await option('Pizza').click()
    await spoken('Your vote for Pizza was removed')
    expect(await isChecked('Pizza')).toBe('false')
  })

  it('a vote too many replaces the oldest, and announces which', async () => {
    await adaSees({ max_votes_allowed: 2 })
    await page.getByText('Choose up to 2 options').waitFor()
    for (const name of ['Noodles', 'Pizza', 'Salad']) {
      await option(name).click()
      await spoken(name === 'Salad' ? 'Your vote for Noodles was replaced' : `You voted for ${name}`)
    }
    expect(await isChecked('Noodles')).toBe('false')
    expect(await isChecked('Salad')).toBe('true')
  })

  it('offers no more votes than there are options', async () => {
    await adaSees({ max_votes_allowed: 5 })
    await page.getByText('Choose one or more options').waitFor()
  })

  it('a failed vote is removed again, with a notice', async () => {
    await adaSees()
    await page.evaluate(() => window.kitFixture.server().refusals.set('POST /vote', { status: 500, code: -1 }))
    await option('Pizza').click()
    await page.locator('.chat-notice').getByText('Your vote could not be saved', { exact: true }).waitFor()
    expect(await isChecked('Pizza')).toBe('false')
  })

  it('[POL-4][POL-5] an ended poll shows the winners, and accepts no votes', async () => {
    await adaSees({ is_closed: true, votes: [{ user_id: 'bo', option: 1 }] })
    await page.getByText('Vote ended').waitFor()
    await option('Pizza').getByText('Most votes').waitFor()
    expect(await page.locator('.chat-poll-option[aria-disabled=true]').count()).toBe(3)
    await option('Salad').click({ force: true })
    expect(await page.evaluate(() => window.kitFixture.calls('/vote'))).toEqual([])
  })

  it('[POL-29] without the capability to vote it shows only the results', async () => {
    await adaSees({ allow_answers: true, allow_user_suggested_options: true }, ['read-events', 'send-message'])
    expect(await page.locator('.chat-poll-buttons button').allTextContents()).toEqual(['View results'])
    expect(await page.locator('.chat-poll-option[aria-disabled=true]').count()).toBe(3)
  })

  it('[POL-29] its owner ends it, and the focus stays in the poll', async () => {
    await adaSees({ created_by_id: 'ada' })
    await button('End vote').click()
    const question = page.getByRole('alertdialog', { name: 'End this vote?' })
    await question.getByRole('button', { name: 'End vote' }).click()
    await page.locator('.chat-poll[data-ended]').waitFor()
    await hasFocus('.chat-poll button')
  })

  it('is ended once, however often the button is pressed', async () => {
    await adaSees({ created_by_id: 'ada' })
    await button('End vote').click()
    await page.evaluate(() => window.kitFixture.server().hold())
    const end = page.getByRole('alertdialog').getByRole('button', { name: 'End vote', exact: true })
    await end.dblclick()
    await page.evaluate(() => window.kitFixture.server().deliver())
    await page.locator('.chat-poll[data-ended]').waitFor()
    const changes = await page.evaluate(() =>
      window.kitFixture.server().calls.filter(({ method, path }) => method !== 'GET' && path.includes('/polls/')),
    )
    expect(changes).toHaveLength(1)
  })

  it('works by keys alone: into the row, along the options, one vote', async () => {
    await adaSees()
    await page.locator('.chat-scroll-row').last().focus()
    await page.keyboard.press('Enter')
    await option('Noodles').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await spoken('You voted for Pizza')
    expect(await isChecked('Noodles')).toBe('false')
  })
})

describe('comments and suggestions', () => {
  it('[POL-29] a comment', async () => {
    await adaSees({ allow_answers: true })
    await button('Add comment').click()
    const words = () => page.locator('.chat-dialog [type=submit]').evaluate((it) => getComputedStyle(it).color)
    const before = await words()
    await page.getByRole('textbox', { name: 'Add comment' }).fill('Not again')
    expect(await words(), 'as long as there is nothing to send').toBe(before)
    await page.keyboard.press('Enter')
    await button('Edit comment').waitFor()
    await button('View results').click()
    const results = page.getByRole('dialog', { name: 'Results' })
    await results.getByText('Not again', { exact: true }).waitFor()
    await results.getByText('1 comment', { exact: true }).waitFor()
    await results.getByRole('button', { name: 'Edit comment' }).click()
    const field = page.getByRole('textbox', { name: 'Edit comment' })
    expect(await field.inputValue()).toBe('Not again')
    await field.fill('Why not')
    await page.keyboard.press('Enter')
    await results.getByText('Why not', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit comment')
  })

  it('[POL-8][POL-34] an option is suggested, unless there is an equal one', async () => {
    await adaSees({ allow_user_suggested_options: true })
    await button('Suggest an option').click()
    await page.getByRole('textbox', { name: 'Suggest an option' }).fill('  pIZZA ')
    await page.getByText('Option already exists', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => window.kitFixture.calls('/options'))).toEqual([])
    await page.getByRole('textbox', { name: 'Suggest an option' }).fill('Soup')
    await page.keyboard.press('Enter')
    await option('Soup').waitFor()
  })
})

describe('the results', () => {
  const votes = [
    { user_id: 'bo', option: 1 },
    { user_id: 'cy', option: 1 },
    { user_id: 'cy', option: 2 },
  ]

  it('[POL-29] list options by their votes, with the voters', async () => {
    await adaSees({ votes })
    await button('View results').click()
    const results = page.getByRole('dialog', { name: 'Results' })
    await results.waitFor()
    const heads = results.locator('.chat-poll-result h3')
    expect(await heads.evaluateAll((all) => all.map((it) => it.ariaLabel))).toEqual([
      'Pizza, 2 votes, 67%',
      'Salad, 1 vote, 33%',
      'Noodles, 0 votes, 0%',
    ])
    expect(await heads.allTextContents()).toEqual(['Pizza', 'Salad', 'Noodles'])
    expect(await results.locator('.chat-poll-count').allTextContents()).toEqual([' 2 · 67%', ' 1 · 33%', ' 0 · 0%'])
    expect(await results.locator('.chat-person').count()).toBe(3)
    await page.keyboard.press('Escape')
    await hasFocus('.chat-poll button')
  })

  it('[PERM-5] all voters of an option are shown only to users with the capability', async () => {
    const many = Array.from({ length: 8 }, () => ({ user_id: 'bo', option: 1 }))
    const results = page.getByRole('dialog', { name: 'Results' })
    for (const [capabilities, buttons, shown] of [
      [can, 0, 5],
      [[...can, 'query-poll-votes'], 1, 8],
    ] as const) {
      await adaSees({ votes: many }, capabilities)
      await button('View results').click()
      await expect.poll(() => results.locator('.chat-person').count()).toBe(5)
      expect(await button('Show all').count()).toBe(buttons)
      if (buttons > 0) await button('Show all').click()
      await expect.poll(() => results.locator('.chat-person').count()).toBe(shown)
    }
  })

  it('new votes are added to the list of all voters of an option', async () => {
    const many = Array.from({ length: 8 }, () => ({ user_id: 'bo', option: 1 }))
    await adaSees({ votes: many }, [...can, 'query-poll-votes'])
    await button('View results').click()
    await button('Show all').click()
    const voters = page.getByRole('dialog', { name: 'Results' }).locator('.chat-person-name')
    await expect.poll(() => voters.count()).toBe(8)
    await page.evaluate(() => window.kitFixture.server().votes(window.kitFixture.cy, 1))
    await expect.poll(() => voters.count()).toBe(9)
  })

  it('[POL-30] show no names in an anonymous poll', async () => {
    await adaSees({ votes, voting_visibility: 'anonymous' })
    await page.getByText('Anonymous', { exact: true }).waitFor()
    expect(await page.locator('.chat-poll-faces .chat-avatar').count()).toBe(0)
    await button('View results').click()
    await page.getByRole('dialog', { name: 'Results' }).locator('h3').first().waitFor()
    expect(await page.locator('.chat-dialog .chat-person').count()).toBe(0)
  })
})

describe('creating a poll', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Create poll' })
  const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })

  it('[POL-29] shows no button without the capability to send one', async () => {
    await adaSees({}, ['read-events', 'send-message', 'cast-poll-vote'])
    expect(await button('Create poll').count()).toBe(0)
  })

  it('[POL-1][POL-29][POL-31] by keys alone, from the button to the message', async () => {
    await adaSees()
    await button('Create poll').press('Enter')
    await field('Question').waitFor()
    await page.keyboard.type('When do we meet?')
    await field('Option 1').focus()
    await page.keyboard.type('Monday')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Tuesday')
    await dialog().getByRole('switch', { name: 'Anonymous poll' }).press('Space')
    await dialog().getByRole('switch', { name: 'Multiple answers' }).press('Space')
    await field('Maximum votes').fill('2')
    await page.keyboard.press('Enter')
    await page.locator('.chat-scroll-row').last().getByText('When do we meet?', { exact: true }).waitFor()
    await page.locator('.chat-scroll-row').last().getByText('Choose one or more options').waitFor()
    expect(await page.locator('body:focus').count()).toBe(0)
  })

  it('the text starts at the start of the line, also from right to left', async () => {
    await adaSees()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await button('Create poll').click()
    for (const name of ['Question', 'Option 1']) {
      const direction = () => field(name).evaluate((it) => getComputedStyle(it).direction)
      expect(await direction(), name).toBe('rtl')
      await field(name).fill('Shalom')
      expect(await direction(), name).toBe('ltr')
    }
  })

  it('options are moved by key, by a press on their handle and by dragging it', async () => {
    await adaSees()
    await button('Create poll').click()
    for (const [at, day] of ['Monday', 'Tuesday', 'Friday'].entries()) await field(`Option ${at + 1}`).fill(day)
    const order = () =>
      dialog()
        .locator('[data-option]')
        .evaluateAll((fields) => fields.map((it) => (it as HTMLInputElement).value).filter(Boolean))
    const handle = (name: string) => dialog().getByRole('button', { name, exact: true })
    await field('Option 3').press('Alt+ArrowUp')
    expect(await order()).toEqual(['Monday', 'Friday', 'Tuesday'])
    await hasFocus('[data-option="2"]')
    await page.locator('[aria-live=polite]').getByText('Friday, 2 of 3').waitFor({ state: 'attached' })
    await handle('Move option 2 up').click()
    expect(await order()).toEqual(['Friday', 'Monday', 'Tuesday'])
    await hasFocus('[data-handle="2"]')
    await page.keyboard.press('Enter')
    expect(await order()).toEqual(['Monday', 'Friday', 'Tuesday'])

    const [from, to] = await Promise.all(
      ['Move option 3 up', 'Move option 1 down'].map((name) => handle(name).boundingBox()),
    )
    await page.mouse.move(from!.x + 10, from!.y + 10)
    await page.mouse.down()
    await page.mouse.move(to!.x + 10, to!.y + 2, { steps: 8 })
    expect(await order()).toEqual(['Tuesday', 'Monday', 'Friday'])
    await page.mouse.up()
    expect(await order()).toEqual(['Tuesday', 'Monday', 'Friday'])
  })

  it('an option in the other text direction has room beside its handle as well', async () => {
    await adaSees()
    await button('Create poll').click()
    for (const [at, day] of ['Monday', 'الثلاثاء'].entries()) await field(`Option ${at + 1}`).fill(day)
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate((dir) => {
        document.documentElement.dir = dir
      }, dir)
      for (const option of await dialog().locator('.chat-poll-movable:has(.chat-poll-handle)').all())
        expect(await isTextBesideHandle(option), `${dir}: ${await option.locator('input').inputValue()}`).toBe(true)
    }
  })

  it('[POL-6][POL-8] shows each error beside its field, and focuses the first', async () => {
    await adaSees()
    await button('Create poll').click()
    await field('Question').fill('When?')
    await field('Option 1').fill('Monday')
    await field('Option 2').fill(' monday')
    await dialog().getByText('Option already exists', { exact: true }).waitFor()
    await dialog().getByRole('switch', { name: 'Multiple answers' }).check()
    await field('Maximum votes').fill('11')
    await dialog().getByRole('button', { name: 'Send poll' }).click()
    await dialog().getByText('Type a number from 2 to 10', { exact: true }).waitFor()
    await hasFocus('[data-option="1"]')
    expect(await axeFinds(page, '[role=dialog]')).toEqual([])
    expect(await page.evaluate(() => window.kitFixture.calls('/polls'))).toEqual([])
  })

  const question = () => page.getByRole('alertdialog', { name: 'Keep this poll as a draft?' })

  it('a closed draft is restored on request, and a refusal keeps all text', async () => {
    await adaSees()
    await button('Create poll').click()
    await field('Question').fill('When?')
    await field('Option 1').fill('Monday')
    await field('Option 2').fill('Tuesday')
    await page.keyboard.press('Escape')
    await question().waitFor()
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    await hasFocus('[data-option="1"]')
    await page.keyboard.press('Escape')
    await hasFocus('[role=alertdialog] [data-kind=primary]')
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await hasFocus('.chat-composer button')
    await button('Create poll').click()
    expect(await field('Question').inputValue()).toBe('When?')
    await page.evaluate(() => window.kitFixture.server().refusals.set('POST /polls', { status: 403, code: 17 }))
    await dialog().getByRole('button', { name: 'Send poll' }).click()
    await page.locator('.chat-notice').getByText('The poll could not be created', { exact: true }).waitFor()
    expect(await field('Option 2').inputValue()).toBe('Tuesday')
  })

  for (const [answer, left] of [
    ['Discard', ''],
    ['Keep draft', 'When?'],
  ] as const) {
    it(`“${answer}” calls off a poll that is on its way`, async () => {
      await adaSees()
      await button('Create poll').click()
      await field('Question').fill('When?')
      await field('Option 1').fill('Monday')
      await field('Option 2').fill('Tuesday')
      await page.evaluate(() => window.kitFixture.server().hold())
      await dialog().getByRole('button', { name: 'Send poll' }).click()
      await page.waitForFunction(() => window.kitFixture.calls('/polls').length === 1)
      await page.keyboard.press('Escape')
      await question().getByRole('button', { name: answer }).click()
      await dialog().waitFor({ state: 'detached' })
      await page.evaluate(() => window.kitFixture.server().deliver())

      // Messages are sent one after the other: the poll would have been sent before the text.
      await page.getByRole('textbox', { name: 'Message' }).fill('Let me call you')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => window.kitFixture.calls('/message').length > 0)
      const sent = await page.evaluate(() =>
        window.kitFixture.calls('/message').map(({ body }) => (body.message as { text: string }).text),
      )
      expect(sent).toEqual(['Let me call you'])
      expect(await page.locator('.chat-notice').count()).toBe(0)
      await button('Create poll').click()
      expect(await field('Question').inputValue()).toBe(left)
    })
  }

  it('a discarded draft is gone, and an empty one asks nothing', async () => {
    await adaSees()
    await button('Create poll').click()
    await field('Question').fill('When?')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await question().getByRole('button', { name: 'Discard' }).click()
    await dialog().waitFor({ state: 'detached' })
    await button('Create poll').click()
    expect(await field('Question').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })
})

function isTextBesideHandle(option: Locator): Promise<boolean> {
  return option.evaluate((option) => {
    const input = option.querySelector('input')!
    const handle = option.querySelector('.chat-poll-handle')!.getBoundingClientRect()
    const { left, right } = input.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(input)
    return (
      right - Number.parseFloat(paddingRight) <= handle.left || left + Number.parseFloat(paddingLeft) >= handle.right
    )
  })
}
