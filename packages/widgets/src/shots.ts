import { aBrowserOn } from './testing/browser.ts'
const only = process.argv.slice(2)
const b = await aBrowserOn('kit-fixture.html')
const shot = async (name: string, options: object, kit: object, then?: (page: any) => Promise<void>) => {
  if (only.length && !only.includes(name)) return
  const { page, problems } = await b.open(options)
  await page.evaluate((kit: any) => (window as any).kitFixture.start(kit, kit.before && new Function('server', kit.before)), kit)
  await page.waitForTimeout(600)
  try { await then?.(page) } catch (e) { console.log(name, String(e).slice(0, 400)) }
  await page.screenshot({ path: `/tmp/shot-${name}.png` })
  console.log(name, problems())
  await page.context().close()
}
const wide = { viewport: { width: 1100, height: 760 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const k = (code: string) => `(() => { const k = window.kitFixture, s = k.server(); ${code} })()`
await shot('light', wide, { open: 'racks' }, async (page) => {
  await page.evaluate(k(`s.reacts('racks-13', k.bo, 'like'); s.reacts('racks-13', k.ada, 'like'); s.reacts('racks-13', k.cy, 'celebrate'); s.types('racks', k.bo)`))
  await page.hover('[data-key="racks-13"] .chat-bubble')
  await page.waitForTimeout(500)
})
await shot('menu', wide, { open: 'racks', theme: 'dark' }, async (page) => {
  await page.focus('[data-key="racks-15"]')
  await page.keyboard.press('Shift+F10')
  await page.waitForTimeout(700)
})
await shot('delete', wide, { open: 'racks' }, async (page) => {
  await page.focus('[data-key="racks-15"]')
  await page.keyboard.press('Delete')
  await page.waitForTimeout(700)
})
await shot('details', wide, { open: 'racks', theme: 'dark' }, async (page) => {
  await page.evaluate(k(`s.reacts('racks-13', k.bo, 'like'); s.reacts('racks-13', k.ada, 'like'); s.reacts('racks-13', k.cy, 'celebrate')`))
  await page.click('[data-key="racks-13"] .chat-reaction[data-more]')
  await page.waitForTimeout(700)
})
await shot('edit', wide, { open: 'racks' }, async (page) => {
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type(' Maybe sushi?')
  await page.waitForTimeout(300)
})
await shot('quote', phone, { open: 'racks' }, async (page) => {
  await page.focus('[data-key="racks-13"]')
  await page.keyboard.press('r')
  await page.keyboard.type('Great, then I will order the parts today and tell the vendor that we split them over the three rows.')
  await page.waitForTimeout(300)
})
await shot('failed', wide, { open: 'racks', before: `server.refusals.set('POST /message', { status: 500, code: -1, message: 'SendMessage failed with error: "no"' })` }, async (page) => {
  await page.keyboard.type('Does this arrive?')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(900)
})
await shot('unauthorized', phone, { open: 'racks', theme: 'dark', before: `server.refusals.set('POST /message', { status: 403, code: 17 })` }, async (page) => {
  await page.fill('textarea', 'Does this arrive?')
  await page.click('.chat-send')
  await page.waitForTimeout(900)
})
await shot('slow', wide, { open: 'slow' }, async (page) => {
  await page.keyboard.type('When do we move?')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(3000)
  await page.keyboard.type('And who orders the pizza?')
})
await shot('frozen', wide, { open: 'news', theme: 'dark' })
await shot('missing', wide, { open: 'nowhere' })
await shot('empty', wide, { open: 'empty' })
await shot('none', phone, { conversations: [] })
await shot('error', wide, { theme: 'dark', before: `server.refusals.set('POST /channels', { status: 500, code: -1, message: 'QueryChannels failed' })` })
await shot('ja', wide, { open: 'yuki', language: 'ja' }, async (page) => { await page.waitForTimeout(500) })
await shot('de', phone, { open: 'racks', language: 'de', theme: 'dark' }, async (page) => { await page.waitForTimeout(500) })
await shot('arabic', wide, { open: 'leila' })
await shot('lost', wide, { open: 'bo' }, async (page) => {
  await page.evaluate(k(`s.drops()`))
  await page.waitForTimeout(5600)
})
await shot('top', wide, { open: 'racks' }, async (page) => {
  await page.evaluate(`document.querySelector('.chat-scroll').scrollTop = 0`)
  await page.waitForTimeout(600)
})
await b.close()
