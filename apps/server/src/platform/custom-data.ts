import { CUSTOM_DATA_BYTES } from '@parley/protocol/limits'
import type { PartialUpdate } from '@parley/protocol/wire'
import { ChatError, inputError } from './chat-error.ts'
import { isDeeperThan, JSON_DEPTH } from './depth.ts'

type Fields = { [field: string]: unknown }

/**
 * The custom fields of an object from the wire: all that are not built in [messaging.md 1.9].
 *
 * @throws ChatError InputError (4) — a name with a dot, which a path could not address; PayloadTooBigError (22) — more
 *   than `maxBytes` of JSON
 */
export function customOf(body: object, builtIn: ReadonlySet<string>, maxBytes = CUSTOM_DATA_BYTES): Fields {
  const custom: Fields = {}
  for (const [field, value] of Object.entries(body)) {
    if (builtIn.has(field)) continue
    // Without built-in fields it is a value as a whole, into which no path leads.
    if (builtIn.size > 0 && field.includes('.')) throw inputError(field, `the name of field "${field}" has a dot`)
    define(custom, field, value)
  }
  return limited(custom, maxBytes)
}

/**
 * Applies `set` and `unset` to the custom fields; dots address nested ones.
 *
 * @throws ChatError InputError (4) — see `checkPaths`; PayloadTooBigError (22) — more than `maxBytes` of JSON
 */
export function patched(custom: Fields, { set = {}, unset = [] }: PartialUpdate, maxBytes = CUSTOM_DATA_BYTES): Fields {
  checkPaths({ set, unset })
  const result = structuredClone(custom)
  for (const [path, value] of Object.entries(set)) {
    const keys = path.split('.')
    const last = keys.pop() as string
    let parent = result
    for (const key of keys) {
      const next = Object.hasOwn(parent, key) ? parent[key] : undefined
      if (!isFields(next)) define(parent, key, {})
      parent = Object.getOwnPropertyDescriptor(parent, key)!.value as Fields
    }
    define(parent, last, value)
  }
  for (const path of unset) {
    const keys = path.split('.')
    const last = keys.pop() as string
    let parent: unknown = result
    for (const key of keys) parent = isFields(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined
    if (isFields(parent)) delete parent[last]
  }
  return limited(result, maxBytes)
}

/**
 * What paths with dots make of those of an object's own fields that are objects themselves, each as a whole.
 *
 * @param objects what each of them is now
 * @throws ChatError InputError (4) — a path into a field that is no object, or that is set as a whole, too
 */
export function patchedWithin(
  objects: { [field: string]: Fields },
  builtIn: ReadonlySet<string>,
  { set = {}, unset = [] }: PartialUpdate,
): Fields {
  const fieldOf = (path: string) => path.split('.')[0]!
  const within = (path: string) => path.includes('.') && builtIn.has(fieldOf(path))
  const patch = {
    set: Object.fromEntries(Object.entries(set).filter(([path]) => within(path))),
    unset: unset.filter(within),
  }
  const paths = [...Object.keys(patch.set), ...patch.unset]
  for (const path of paths)
    if (!Object.hasOwn(objects, fieldOf(path)) || Object.hasOwn(set, fieldOf(path)))
      throw inputError(path, `${path} is no field that can be set here`)
  const named = Object.fromEntries(paths.map((path) => [fieldOf(path), objects[fieldOf(path)]]))
  return patched(named, patch, Number.POSITIVE_INFINITY)
}

/**
 * What of an object's own fields a partial update clears: those it unsets, and those it sets to null.
 *
 * @param empty what each of them is once it is cleared
 */
export function cleared(empty: Fields, { set = {}, unset = [] }: PartialUpdate): Fields {
  const isCleared = (field: string) => unset.includes(field) || set[field] === null
  return Object.fromEntries(Object.entries(empty).filter(([field]) => isCleared(field)))
}

/**
 * Checks the paths of a partial update, those of built-in fields too.
 *
 * @throws ChatError InputError (4) — a path in both, or one a prefix of another across them
 */
export function checkPaths({ set = {}, unset = [] }: PartialUpdate) {
  for (const path of [...Object.keys(set), ...unset])
    if (path === '' || path.includes(' ') || path.split('.').includes(''))
      throw inputError(path || (Object.hasOwn(set, path) ? 'set' : 'unset'), `"${path}" is no path of a field`)
  for (const taken of unset)
    for (const given of Object.keys(set))
      if (given === taken || given.startsWith(`${taken}.`) || taken.startsWith(`${given}.`))
        throw inputError(given, `"${given}" is in set and in unset`)
}

/** A key such as `__proto__` is ordinary text here. */
function define(target: Fields, key: string, value: unknown) {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function limited(custom: Fields, maxBytes: number): Fields {
  // A path makes as many levels as it has dots.
  if (isDeeperThan(JSON_DEPTH, custom)) throw new ChatError('InputError', 'custom data is nested too deep')
  const bytes = Buffer.byteLength(JSON.stringify(custom))
  if (bytes > maxBytes)
    throw new ChatError('PayloadTooBigError', `custom data has ${bytes} bytes, at most ${maxBytes} fit`)
  return custom
}
