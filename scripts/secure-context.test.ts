/**
 * Some browser APIs exist only in secure contexts, not on pages that come over plain http from another machine. Browser
 * code uses them only in the places listed here, each of which has a fallback.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = globSync(['packages/{client,widgets}/src/**/*.{ts,tsx}', 'apps/web/app/**/*.{ts,tsx}'], { cwd: root })
  .filter((file) => !/\.test\.tsx?$|\.stories\.tsx$|\.server\.ts$|\/testing\/|\/component-gallery\//.test(file))
  .sort()

/** The APIs of secure contexts, as source patterns. */
const secureOnly =
  /crypto\.(randomUUID|subtle)|navigator\.(clipboard|mediaDevices|serviceWorker|locks|geolocation|storage|wakeLock|share|credentials|setAppBadge|clearAppBadge|getBattery|usb|bluetooth)|\bcaches\.|PushManager|new Notification\b|Notification\.requestPermission|showOpenFilePicker|showSaveFilePicker|cookieStore/g

const known: Record<string, string[]> = {
  // Without locks each page acts for itself.
  'apps/web/app/ui/browser-memory.ts': ['navigator.locks'],
  'packages/client/src/storage/indexed-db.ts': ['navigator.locks'],
  'packages/widgets/src/preferences/device-memory.ts': ['navigator.locks'],
  // They tell the user that https is needed.
  'apps/web/app/notifications/device.ts': ['Notification.requestPermission', 'PushManager', 'navigator.serviceWorker'],
  'packages/widgets/src/attachments/recording.ts': ['navigator.mediaDevices'],
  // Notifications that device.ts has turned on, where possible.
  'apps/web/app/notifications/HiddenPageNotices.tsx': ['navigator.serviceWorker', 'new Notification'],
  // Works the same without them.
  'apps/web/app/shell/service-worker.ts': ['navigator.serviceWorker'],
  'apps/web/app/shell/use-favicon.ts': ['navigator.clearAppBadge', 'navigator.setAppBadge'],
  // Falls back to the older API.
  'packages/widgets/src/clipboard/copy-text.ts': ['navigator.clipboard'],
}

it('secure-context APIs are used only where there is a fallback', () => {
  const found = sources.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*$/gm, '')
    const uses = [...new Set(code.match(secureOnly) ?? [])].sort()
    return uses.length === 0 ? [] : [[file, uses] as const]
  })
  expect(Object.fromEntries(found)).toEqual(known)
})
