import { expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

it('[CMD-10] Ada picks a gif and mentions Bo by keyboard alone, and Bo gets both', {
  timeout: 120_000,
}, async () => {
  const group = await aGroup(product.stack, 'Command bridge', ['ada-lindqvist', 'bo-nakamura', 'priya-raman'])
  const ada = await product.member('ada@northwind.example', group.path)
  const bo = await product.member('bo@kiku.example', group.path)
  await bo.composer.waitFor()
  await ada.composer.focus()

  // Ada founded the group and moderates it; Bo does not, and is offered fewer commands.
  await ada.page.keyboard.type('/')
  const commands = ada.page.getByRole('listbox', { name: 'Commands' })
  await commands.getByRole('option', { name: /giphy/ }).waitFor()
  await ada.takesPicture('commands')
  await ada.isAccessible('commands')
  expect(await commands.getByRole('option', { name: /ban/ }).count()).toBe(2)
  await bo.composer.focus()
  await bo.page.keyboard.type('/')
  const bos = bo.page.getByRole('listbox', { name: 'Commands' })
  await bos.getByRole('option', { name: /giphy/ }).waitFor()
  expect(await bos.getByRole('option', { name: /ban/ }).count()).toBe(0)
  await bo.page.keyboard.press('Backspace')
  await ada.page.keyboard.type('gi')
  await ada.page.keyboard.press('Enter')
  await ada.page.getByRole('button', { name: 'Remove the command giphy' }).waitFor()
  await ada.page.keyboard.type('party')
  await ada.page.keyboard.press('Enter')

  // Only Ada sees it, until she sends it.
  const preview = ada.page.getByRole('article').filter({ hasText: 'Only visible to you' })
  await preview.waitFor()
  const send = preview.getByRole('button', { name: 'Send' })
  await expect.poll(() => send.evaluate((it) => it === document.activeElement)).toBe(true)
  const shown = () => preview.getByRole('img', { name: 'party' }).getAttribute('src')
  const first = await shown()
  await ada.page.keyboard.press('ArrowRight')
  await ada.page.keyboard.press('Enter')
  await expect.poll(shown).not.toBe(first)
  await ada.takesPicture('giphy-preview')
  await ada.isAccessible('giphy preview')
  expect(await bo.page.getByRole('img', { name: 'party' }).count()).toBe(0)
  const chosen = await shown()
  await ada.page.keyboard.press('ArrowLeft')
  await ada.page.keyboard.press('Enter')
  await preview.waitFor({ state: 'detached' })
  const received = bo.page.getByRole('img', { name: 'party' })
  await received.waitFor()
  expect(await received.getAttribute('src')).toBe(chosen)
  expect(await received.evaluate((it: HTMLImageElement) => it.complete || it.decode().then(() => true))).toBe(true)

  // The focus is back in Ada's text box, and Bo is notified of the mention.
  await expect.poll(() => ada.composer.evaluate((it) => it === document.activeElement)).toBe(true)
  await ada.page.keyboard.type('Ready, @naka')
  await ada.page
    .getByRole('listbox', { name: 'People' })
    .getByRole('option', { name: /Bo Nakamura/ })
    .waitFor()
  await ada.takesPicture('mentions')
  await ada.page.keyboard.press('Tab')
  await ada.page.keyboard.type('?')
  await ada.page.keyboard.press('Enter')
  await bo.page.getByText(`Ada Lindqvist mentioned you in “${group.name}”`).waitFor({ state: 'attached' })
  await bo.sees('Ready, @Bo Nakamura ?')

  // A command's result is shown to Ada alone, with the kit's text.
  for (const [command, outcome] of [
    ['mute', 'You muted Bo Nakamura'],
    ['unmute', 'You unmuted Bo Nakamura'],
  ] as const) {
    await ada.composer.focus()
    await ada.page.keyboard.type(`/${command} @naka`)
    await ada.page
      .getByRole('listbox', { name: 'People' })
      .getByRole('option', { name: /Bo Nakamura/ })
      .waitFor()
    await ada.page.keyboard.press('Tab')
    await ada.page.keyboard.press('Enter')
    await ada.sees(outcome)
  }

  ada.isWell()
  bo.isWell()
})
