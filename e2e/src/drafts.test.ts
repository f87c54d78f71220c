import { expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

it('a user continues a draft on another device, and concurrent edits on both are not lost', {
  timeout: 180_000,
}, async () => {
  const group = await aGroup(product.stack, 'Two desks', ['ada-lindqvist', 'bo-nakamura', 'priya-raman'])
  const at = async () => {
    const ada = await product.member('ada@northwind.example', group.path, { serviceWorkers: 'block' })
    await ada.composer.waitFor()
    return ada
  }
  const [desk, train] = [await at(), await at()]
  const stands = ({ composer }: Visitor) => expect.poll(() => composer.inputValue())

  await desk.composer.fill('The tea comes on Monday')
  await stands(train).toBe('The tea comes on Monday')
  await desk.composer.blur()
  await train.composer.fill('The tea comes on Monday, the coffee on Friday')
  await stands(desk).toBe('The tea comes on Monday, the coffee on Friday')

  // The desk's update is delayed until after the one from the train.
  const { promise: isThrough, resolve: getsThrough } = Promise.withResolvers<void>()
  await desk.page.route(/\/draft$/, async (route) => {
    await isThrough
    await route.continue()
  })
  await desk.composer.fill('Written at the desk')
  await train.composer.fill('Written on the train')
  await train.composer.blur()
  const restore = desk.page.getByRole('button', { name: 'Restore other draft' })
  await expect
    .poll(async () => {
      await desk.composer.focus()
      await desk.composer.blur()
      return restore.count()
    })
    .toBe(1)
  await desk.page.getByText('Written on the train', { exact: true }).waitFor()
  expect(await desk.composer.inputValue()).toBe('Written at the desk')
  await desk.takesPicture('other-draft')
  await desk.isAccessible('other draft')
  getsThrough()
  await stands(train).toBe('Written at the desk')

  await restore.click()
  await stands(desk).toBe('Written on the train')
  await desk.page.getByText('Written at the desk', { exact: true }).waitFor()
  await desk.composer.blur()
  await stands(train).toBe('Written on the train')

  // A sent text is no longer a draft; the other draft remains, until she discards it.
  await train.composer.press('Enter')
  await desk.sees('Written on the train')
  await stands(desk).toBe('')
  await desk.page.getByRole('button', { name: 'Discard other draft' }).click()
  await expect.poll(() => restore.count()).toBe(0)
  desk.isWell()
  train.isWell()
})
