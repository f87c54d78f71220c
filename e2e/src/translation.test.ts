import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from 'playwright-core'
import { afterAll, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

/** The translations that the service knows, by language and text. */
const phrases: Record<string, string> = {
  'en:港でお茶を': 'Tea by the harbour',
  'de:港でお茶を': 'Tee am Hafen',
}

/** A translation service, as LibreTranslate is. */
const service = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { q, target } = JSON.parse(Buffer.concat(chunks).toString())
  const translatedText = phrases[`${target}:${q}`]
  if (translatedText === undefined) response.writeHead(400).end('{}')
  else response.end(JSON.stringify({ translatedText, detectedLanguage: { language: 'ja' } }))
})
afterAll(() => void service.close())

const product = theProduct({
  async settings() {
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
    return { TRANSLATION_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` }
  },
})

/** Chooses an action from the menu of a message. */
async function does(action: string, { page }: Visitor, row: Locator) {
  await row.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: action, exact: true }).press('Enter')
}

it('[MSG-15] two users read a message in their preferred languages, and in the original', {
  timeout: 120_000,
}, async () => {
  const group = await aGroup(product.stack, 'Far harbours', ['ada-lindqvist', 'dana-hoffmann', 'mei-sakamoto'])
  for (const text of ['港でお茶を', '誰にも訳せない']) await group.says('mei-sakamoto', text)
  const comes = async (email: string) => {
    const visitor = await product.member(email, group.path)
    const [tea, hard] = ['Mei Sakamoto', '誰にも訳せない'].map((words) =>
      visitor.page.getByRole('article').filter({ hasText: words }),
    ) as [Locator, Locator]
    await hard.waitFor()
    return { visitor, tea: tea.first(), hard }
  }
  const { visitor: ada, tea, hard } = await comes('ada@northwind.example')
  await does('Translate', ada, tea)
  await tea.getByText('Tea by the harbour').waitFor()
  await tea.getByText('Translated from Japanese').waitFor()
  await ada.takesPicture('translated')
  await ada.isAccessible('translated')
  await tea.getByRole('button', { name: 'Show original' }).click()
  await tea.getByText('港でお茶を').waitFor()

  // What the service cannot translate stays unchanged, with a notice.
  await does('Translate', ada, hard)
  await ada.page.getByText('The message could not be translated').first().waitFor()
  await hard.getByText('誰にも訳せない').waitFor()

  const { visitor: dana, tea: tee } = await comes('dana@hansenvogt.example')
  await does('Übersetzen', dana, tee)
  await tee.getByText('Tee am Hafen').waitFor()
  ada.isWell()
  dana.isWell()
})
