/**
 * Stands between Playwright and a Firefox that FIREFOX_PATH names, and looks to Playwright like a Firefox. What a
 * distribution ships does not know every command of WebDriver BiDi that Playwright sends it without being asked; these
 * are answered here, everything else passes as it is.
 */
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/** It would set the colours a page prefers, which are those of the machine here. */
const UNKNOWN_TO_FIREFOX = 'emulation.setMediaFeaturesOverride'
const READY = /WebDriver BiDi listening on (ws:\/\/\S+)/

const firefox = spawn(process.env.FIREFOX_PATH!, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.on('exit', (code) => process.exit(code ?? 1))
createInterface(firefox.stderr).on('line', (line) => {
  const [, address] = READY.exec(line) ?? []
  if (address) relay(address)
  else console.error(line)
})

function relay(address: string) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('listening', () => {
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  server.on('connection', (playwright, { url }) => {
    const browser = new WebSocket(address + url)
    const isOpen = new Promise((open) => browser.on('open', open))
    playwright.on('message', async (data) => {
      const { id, method } = JSON.parse(String(data))
      if (method === UNKNOWN_TO_FIREFOX) return playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
      await isOpen
      browser.send(String(data))
    })
    browser.on('message', (data: RawData) => playwright.send(String(data)))
    browser.on('close', () => playwright.close())
    playwright.on('close', () => browser.close())
  })
}
