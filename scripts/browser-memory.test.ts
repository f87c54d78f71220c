import { expect, it } from 'vitest'
import { findings } from './browser-memory.ts'

const found = (path: string, text: string) => findings({ path, text }).map(({ line, name }) => `${line}: ${name}`)

it.each([
  ['localStorage.getItem("side")', 'localStorage'],
  ['window.sessionStorage.setItem("side", "start")', 'sessionStorage'],
  ['const opening = globalThis.indexedDB.open("parley")', 'indexedDB'],
  ['const pages = new BroadcastChannel("parley")', 'BroadcastChannel'],
  ['navigator.locks?.request("parley", () => {})', 'navigator.locks'],
])('refuses %s', (text, name) => {
  for (const path of ['apps/web/app/chat/panel.ts', 'packages/widgets/src/chat/Chat.tsx', 'packages/client/src/a.ts'])
    expect(found(path, `// Here.\n${text}`)).toEqual([`2: ${name}`])
})

it('allows them in tests, in the files that cope with a refusal, and as types', () => {
  for (const path of [
    'apps/web/app/chat/panel.test.ts',
    'packages/widgets/src/testing/kit-fixture.tsx',
    'packages/client/src/storage/indexed-db.ts',
    'apps/server/src/main.ts',
  ])
    expect(found(path, 'localStorage.getItem("side")')).toEqual([])
  expect(found('apps/web/app/chat/pages.ts', 'let pages: BroadcastChannel | undefined')).toEqual([])
})
