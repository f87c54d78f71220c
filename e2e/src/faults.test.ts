import { describe, expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import type { Place } from './kit/stack.ts'
import { theProduct } from './kit/the-product.ts'

for (const place of ['sqlite', 'cluster'] satisfies Place[])
  describe(`on ${place}`, () => {
    const product = theProduct({ place })
    /** Kills the chat servers for a while. Restarts them even when the test fails, for its retry. */
    async function inTheDark(story: () => Promise<void>) {
      for (const chat of product.stack.chats) await chat.kill()
      try {
        await story()
      } finally {
        for (const chat of product.stack.chats) await chat.start()
      }
    }

    it('[TOA-9] [CON-6] a killed server is announced, and missed messages arrive by themselves', {
      timeout: 120_000,
    }, async () => {
      const group = await aGroup(product.stack, 'Night watch', ['ada-lindqvist', 'bo-nakamura'])
      const ada = await product.member('ada@northwind.example', group.path)
      await ada.says('Before the lights went out')
      await ada.sees('Before the lights went out')
      const banner = ada.page
        .getByRole('region', { name: 'Connection' })
        .getByText('Connection failure, reconnecting now...')

      await inTheDark(async () => {
        await banner.waitFor()
        await ada.takesPicture(`${place}-reconnecting`)
        await ada.says('Written in the dark')
        await ada.message('Written in the dark').getByText('Waiting for a connection').waitFor()
        await ada.takesPicture(`${place}-waiting`)
      })

      await banner.waitFor({ state: 'hidden', timeout: 40_000 })
      // Nothing needs to be pressed: unsent messages go out on reconnect.
      const bo = await product.room.member(product.stack.webs.at(-1)!.url, 'bo@kiku.example', group.path)
      await bo.sees('Written in the dark')
      await bo.says('I missed nothing')
      await ada.sees('I missed nothing')
      expect(await ada.page.getByRole('article').filter({ hasText: 'Written in the dark' }).count()).toBe(1)
      expect(await ada.page.getByRole('article').filter({ hasText: 'Before the lights went out' }).count()).toBe(1)
    })

    it('[TOA-8] a page opened while the chat server is down reports that, not that all is read, and has chat once it is back', {
      timeout: 180_000,
    }, async () => {
      const ada = await product.visitor()
      await inTheDark(async () => {
        await ada.hasSignedIn('ada@northwind.example')
        // From the HTML: in the browser this state does not last long.
        const page = await (await ada.page.context().request.get('/')).text()
        expect(page).toContain('Connecting…')
        expect(page).not.toContain('You are all caught up.')
        await ada.page.goto('/')
        await ada.page.getByText('Error connecting to chat, refresh the page to try again.').waitFor()
        expect(await ada.page.getByText('You are all caught up.').count()).toBe(0)
      })
      await ada.page.getByText(/You are all caught up\.|waiting for you\./).waitFor({ timeout: 60_000 })
      await ada.page.getByRole('button', { name: /^Open chat/ }).waitFor()
    })
  })
