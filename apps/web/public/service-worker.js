/*
 * Keeps one page for the time without a connection, and the built files, whose names change with their content.
 * Pages and calls always go to the server: what they say belongs to one person and to this moment. And it shows what
 * is said while nobody looks.
 */
const CACHE = 'parley-1'
const OFFLINE = '/offline'
/** Built files of earlier versions go when there are more than this. */
const MOST_FILES = 400
/** A page that goes where it is asked to says so by then. */
const ANSWER_MS = 1_000

self.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(event))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(builtFile(request))
})

async function page(event) {
  try {
    const answer = await fetch(event.request)
    // The language or the theme may be another one by now.
    event.waitUntil(keepOfflinePage().catch(() => {}))
    return answer
  } catch (error) {
    const kept = await caches.match(OFFLINE)
    if (kept) return kept
    throw error
  }
}

async function builtFile(request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  // Where there is no room to keep it, it arrives all the same.
  if (answer.ok) await keep(cache, request, answer.clone()).catch(() => {})
  return answer
}

async function keep(cache, request, answer) {
  await cache.put(request, answer)
  const files = (await cache.keys()).filter(({ url }) => url.includes('/assets/'))
  for (const file of files.slice(0, Math.max(0, files.length - MOST_FILES))) await cache.delete(file)
}

async function keepOfflinePage() {
  const answer = await fetch(OFFLINE)
  if (answer.ok) await (await caches.open(CACHE)).put(OFFLINE, answer)
}

/** A message came while no page was open. */
self.addEventListener('push', (event) => {
  const notice = event.data?.json()
  if (notice?.title) event.waitUntil(show(notice))
})

/** A page that nobody looks at has something to say; several of them say the same. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'notice') event.waitUntil(show(event.data.notice))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})

/** Whoever looks at the product sees it there. */
async function show({ title, body, tag, url }) {
  const pages = await pagesOpen()
  if (pages.some((page) => page.visibilityState === 'visible')) return
  await self.registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: { url } })
}

/** A page with the messages of somebody on it goes there by itself; any other, as that of the sign-in, is led there. */
async function open(url) {
  const [page] = await pagesOpen()
  if (!page) return self.clients.openWindow(url)
  const goes = goesThere(page, url)
  await page.focus().catch(() => {})
  if (!(await goes)) await page.navigate(url).catch(() => self.clients.openWindow(url))
}

function goesThere(page, url) {
  const { promise, resolve } = Promise.withResolvers()
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => resolve(true)
  page.postMessage({ type: 'open', url }, [port2])
  setTimeout(resolve, ANSWER_MS, false)
  return promise
}

function pagesOpen() {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true })
}
