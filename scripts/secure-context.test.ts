/**
 * Browsers keep some of what they can do from pages that come over plain http from another machine. What runs in a
 * browser asks for it in the places named here, each of which does without.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync(['packages/{client,widgets}/src/**/*.{ts,tsx}', 'apps/web/app/**/*.{ts,tsx}'], { cwd: root })
  .filter((file) => !/\.test\.tsx?$|\.stories\.tsx$|\.server\.ts$|\/testing\/|\/component-gallery\//.test(file))
  .sort()

/** What only secure contexts have, by how it is written. */
const secureOnly =
  /crypto\.(randomUUID|subtle)|navigator\.(clipboard|mediaDevices|serviceWorker|locks|geolocation|storage|wakeLock|share|credentials|setAppBadge|clearAppBadge|getBattery|usb|bluetooth)|\bcaches\.|PushManager|new Notification\b|Notification\.requestPermission|showOpenFilePicker|showSaveFilePicker|cookieStore/g

const known: Record<string, string[]> = {
  // Without locks each page acts for itself.
  'apps/web/app/chat/use-only-page.ts': ['navigator.locks'],
  'packages/client/src/storage/indexed-db.ts': ['navigator.locks'],
  'packages/widgets/src/preferences/sounds.ts': ['navigator.locks'],
  // They say that they need https.
  'apps/web/app/notifications/device.ts': ['Notification.requestPermission', 'PushManager', 'navigator.serviceWorker'],
  'packages/widgets/src/attachments/recording.ts': ['navigator.mediaDevices'],
  // Notices that device.ts has turned on, where it could.
  'apps/web/app/notifications/HiddenPageNotices.tsx': ['navigator.serviceWorker', 'new Notification'],
  // Nothing is missed without them.
  'apps/web/app/shell/service-worker.ts': ['navigator.serviceWorker'],
  'apps/web/app/shell/use-favicon.ts': ['navigator.clearAppBadge', 'navigator.setAppBadge'],
  // The older way is taken.
  'packages/widgets/src/clipboard/copy-text.ts': ['navigator.clipboard'],
}

it('what only secure contexts have is asked for where there is a way without it, and nowhere else', () => {
  const found = sources.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*$/gm, '')
    const uses = [...new Set(code.match(secureOnly) ?? [])].sort()
    return uses.length === 0 ? [] : [[file, uses] as const]
  })
  expect(Object.fromEntries(found)).toEqual(known)
})
