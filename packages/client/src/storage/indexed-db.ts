import { LAST_WORDS_MS } from '../limits.ts'
import type { ClientStorage } from './storage.ts'

const STORE = 'words'

/**
 * Storage on this device for drafts and unsent messages, which survive a reload or a crash. All entries are read once,
 * by this call; later changes are written in the background. If the browser's storage is blocked or full, entries last
 * as long as the page.
 *
 * @param name  of the database; one for each application on the same origin
 */
export async function indexedDBStorage(name = 'parley'): Promise<ClientStorage> {
  const words = new Map<string, unknown>()
  let database: IDBDatabase
  try {
    database = await opened(name)
    await readAll(database, words)
    // A browser may store entries and refuse locks.
    const locks = await navigator.locks?.query().catch(() => {})
    // Another tab is handling these entries.
    for (const lock of (locks as LockManagerSnapshot | undefined)?.held ?? [])
      words.delete(lock.name!.replace(`${name} `, ''))
  } catch {
    return words
  }
  const write = (change: (store: IDBObjectStore) => void) => {
    try {
      const transaction = database.transaction(STORE, 'readwrite')
      change(transaction.objectStore(STORE))
      // A page that is being left has no later turn in which the browser would commit by itself.
      transaction.commit()
    } catch {
      // Closed by the browser, or not plain data; the page still has the entry.
    }
  }
  const lastWords = new LastWords(name)
  const storage: ClientStorage = {
    get: (key) => words.get(key),
    keys: () => words.keys(),
    set(key, value) {
      words.set(key, value)
      lastWords.note(key, value)
      write((store) => store.put(value, key))
    },
    delete(key) {
      if (!words.delete(key)) return
      lastWords.note(key, null)
      write((store) => store.delete(key))
    },
    mind: (key, until) => navigator.locks?.request(`${name} ${key}`, () => until).catch(() => {}),
  }
  for (const [key, value] of lastWords.taken()) value === null ? storage.delete(key) : storage.set(key, value)
  return storage
}

/**
 * Entries that change while the page is left. The next page in this tab may read the database before the browser has
 * written them there; `sessionStorage` is written at once.
 */
class LastWords {
  #place: string
  #isLeaving = false
  constructor(name: string) {
    this.#place = `${name}:last-words`
    addEventListener('pagehide', () => {
      this.#isLeaving = true
    })
    // The page was restored from the back/forward cache; by now the database has everything.
    addEventListener('pageshow', ({ persisted }) => {
      this.#isLeaving = false
      if (persisted) this.taken()
    })
  }

  /** @param value null when the entry is deleted */
  note(key: string, value: unknown) {
    if (!this.#isLeaving) return
    try {
      const words = { ...this.#noted(), [key]: value }
      sessionStorage.setItem(this.#place, JSON.stringify({ at: Date.now(), words }))
    } catch {
      // Blocked or full, or not plain data: only the database has it.
    }
  }

  /** The entries of the previous page, once. */
  taken(): [key: string, value: unknown][] {
    try {
      const noted = Object.entries(this.#noted())
      sessionStorage.removeItem(this.#place)
      return noted
    } catch {
      return []
    }
  }

  #noted(): Record<string, unknown> {
    const { at, words } = JSON.parse(sessionStorage.getItem(this.#place) ?? '{}')
    return Date.now() - at < LAST_WORDS_MS ? words : {}
  }
}

async function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  const database = await answered(request)
  // Another tab deletes or upgrades the database, and would wait as long as this page is open.
  database.onversionchange = () => database.close()
  return database
}

async function readAll(database: IDBDatabase, words: Map<string, unknown>) {
  const store = database.transaction(STORE).objectStore(STORE)
  const keys = await answered(store.getAllKeys())
  const values = await answered(store.getAll())
  for (const key of keys) words.set(key as string, values.shift())
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = reject
  })
}
