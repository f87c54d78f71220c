import type { User } from '../shapes.ts'

/** What was being written when it was left. */
export interface StoredDraft {
  text: string
  mentioned: User[]
  quotedMessageID?: string
}

/** Where drafts rest while nobody writes on them; one per channel and thread. */
export interface DraftStorage {
  read(key: string): StoredDraft | undefined
  write(key: string, draft: StoredDraft): void
  remove(key: string): void
}

/** Kept until the page is left. */
export function memoryDrafts(): DraftStorage {
  const drafts = new Map<string, StoredDraft>()
  return {
    read: (key) => drafts.get(key),
    write: (key, draft) => void drafts.set(key, draft),
    remove: (key) => void drafts.delete(key),
  }
}

/** Kept on this device. Full or forbidden storage costs the draft, never the writing. */
export function localStorageDrafts(storage: Storage = localStorage, prefix = 'parley-draft:'): DraftStorage {
  return {
    read(key) {
      try {
        const stored: unknown = JSON.parse(storage.getItem(prefix + key) ?? 'null')
        return isDraft(stored) ? stored : undefined
      } catch {
        return undefined
      }
    },
    write(key, draft) {
      try {
        storage.setItem(prefix + key, JSON.stringify(draft))
      } catch {}
    },
    remove(key) {
      try {
        storage.removeItem(prefix + key)
      } catch {}
    },
  }
}

function isDraft(stored: unknown): stored is StoredDraft {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'text' in stored &&
    typeof stored.text === 'string' &&
    'mentioned' in stored &&
    Array.isArray(stored.mentioned)
  )
}
