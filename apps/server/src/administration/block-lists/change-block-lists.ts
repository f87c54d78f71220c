import type {
  BlockList,
  BlockListType,
  CreateBlockListRequest,
  UpdateBlockListRequest,
} from '@parley/protocol/block-lists'
import type { ConfigOverrides } from '@parley/protocol/channel-types'
import { BLOCK_LIST_PATTERN_CHARS, BLOCK_LIST_WORD_CHARS, BLOCK_LIST_WORDS, BLOCK_LISTS } from '@parley/protocol/limits'
import type { App } from '../../chat/apps/app.ts'
import { changeApp } from '../../chat/apps/change-app.ts'
import { BUILT_IN_LIST } from '../../chat/channels/check-block-lists.ts'
import { forgetBlockList } from '../../chat/channels/config-overrides.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import { moderationOf, nameOf } from '../review/known-configs.ts'
import { blockListsOf, type KnownList, type StoredBlockList, usual } from './known-lists.ts'
import { compiled } from './word-search.ts'

const LIST_NAME = /^[A-Za-z0-9_. -]{1,255}$/

/** @throws ChatError DoesNotExistError (16) — no such list, or it is in another team */
export function existing(app: App, name: string, team?: string): KnownList {
  const known = blockListsOf(app).get(name)
  if (!known || (team !== undefined && team !== '' && known.list.team !== team))
    throw new ChatError('DoesNotExistError', `Can't find block list with name ${name}`)
  return known
}

/**
 * @throws ChatError InputError (4) — an invalid or taken name, too many lists, a word too long, an invalid pattern
 *   [BLK-4, BLK-5]
 */
export async function createBlockList(
  server: Server,
  app: App,
  { name, words, ...request }: CreateBlockListRequest,
): Promise<BlockList> {
  if (!LIST_NAME.test(name))
    throw inputError('name', `"${name}" may hold letters, digits, spaces, "_", "." and "-" only`)
  const stored = { ...usual, ...known(request) }
  const body: StoredBlockList = { ...stored, words: wordsOf(stored.type, words) }
  const changed = await changeApp(server, app, async (change) => {
    if (blockListsOf(change.app).has(name)) throw inputError('name', `block list ${name} exists`)
    if (blockListsOf(change.app).size > BLOCK_LISTS)
      throw inputError('name', `an app has at most ${BLOCK_LISTS} block lists`)
    await change.put('block_list', name, body)
  })
  return blockListsOf(changed).get(name)!.list
}

/** Changes the given fields except the type; words are replaced [BLK-2]. */
export async function updateBlockList(
  server: Server,
  app: App,
  name: string,
  { words, ...request }: UpdateBlockListRequest,
): Promise<BlockList> {
  const changed = await changeApp(server, app, async (change) => {
    const { list } = ownList(change.app, name, undefined)
    const { name: _, created_at: __, updated_at: ___, ...stored } = list
    await change.put('block_list', name, {
      ...stored,
      ...known(request),
      type: stored.type,
      ...(words && { words: wordsOf(list.type, words) }),
    })
  })
  return blockListsOf(changed).get(name)!.list
}

/**
 * Adds words to those that a list has [BLK-2].
 *
 * @throws ChatError InputError (4) — as `createBlockList`, or more words than a list may have
 */
export async function importWords(
  server: Server,
  app: App,
  name: string,
  words: readonly string[],
): Promise<BlockList> {
  const changed = await changeApp(server, app, async (change) => {
    const { list } = ownList(change.app, name, undefined)
    const { name: _, created_at: __, updated_at: ___, ...stored } = list
    const all = wordsOf(list.type, [...list.words, ...words])
    if (all.length > BLOCK_LIST_WORDS) throw inputError('words', `a block list has at most ${BLOCK_LIST_WORDS} words`)
    await change.put('block_list', name, { ...stored, words: all })
  })
  return blockListsOf(changed).get(name)!.list
}

/** Channel types and channels that use it lose the reference [BLK-3]. */
export async function deleteBlockList(server: Server, app: App, name: string, team: string | undefined): Promise<void> {
  await changeApp(server, app, async (change) => {
    ownList(change.app, name, team)
    for (const { name: type, stored } of change.app.types.values()) {
      const config = withoutList(stored.config, name)
      if (config) await change.put('channel_type', type, { ...stored, config })
    }
    for (const { config } of moderationOf(change.app).all()) {
      const { created_at: _, updated_at: __, supported_video_call_harm_types: ___, ...stored } = config
      const { block_list_config: named } = stored
      const rules = named?.rules.filter((rule) => rule.name !== name)
      if (named && rules && rules.length < named.rules.length)
        await change.put('moderation', nameOf(config.key, config.team), {
          ...stored,
          block_list_config: { ...named, rules },
        })
    }
    await change.remove('block_list', name)
  })
  await forgetBlockList(server, app.id, name, (overrides) => withoutList(overrides, name))
}

/** A configuration without the list; undefined if it does not use it. */
function withoutList<
  Config extends Pick<ConfigOverrides, 'blocklist' | 'blocklist_behavior'> & { blocklists?: { blocklist: string }[] },
>(config: Config, name: string): Config | undefined {
  const others = config.blocklists?.filter((named) => named.blocklist !== name)
  if (config.blocklist !== name && others?.length === config.blocklists?.length) return undefined
  const { blocklist, blocklist_behavior, blocklists: _, ...rest } = config
  return {
    ...rest,
    ...(blocklist !== name && { blocklist, blocklist_behavior }),
    ...(others && others.length > 0 && { blocklists: others }),
  } as Config
}

/** @throws ChatError DoesNotExistError (16); InputError (4) — the built-in list cannot be changed */
function ownList(app: App, name: string, team: string | undefined): KnownList {
  const list = existing(app, name, team)
  if (name === BUILT_IN_LIST) throw inputError('name', `block list ${name} is built in and can't be changed`)
  return list
}

/** Fields of a list, without its name and words. */
const fields = [
  'type',
  'team',
  'is_leet_check_enabled',
  'is_plural_check_enabled',
  'is_substring_matching_enabled',
  'is_confusable_folding_enabled',
] as const satisfies (keyof StoredBlockList)[]

/** Those of the fields that were sent. */
function known(sent: { [Field in (typeof fields)[number]]?: unknown }): Partial<Omit<StoredBlockList, 'words'>> {
  return Object.fromEntries(fields.flatMap((field) => (sent[field] === undefined ? [] : [[field, sent[field]]])))
}

/** @throws ChatError InputError (4) — too long, or an invalid pattern */
function wordsOf(type: BlockListType, words: readonly string[]): string[] {
  const most = type === 'regex' ? BLOCK_LIST_PATTERN_CHARS : BLOCK_LIST_WORD_CHARS
  for (const word of words) {
    if (word.trim() === '' || [...word].length > most)
      throw inputError('words', `a word of a list of type ${type} has 1 to ${most} characters`)
    if (type === 'regex') checkPattern(word)
  }
  return [...new Set(type === 'regex' ? words : words.map((word) => word.trim().toLowerCase()))]
}

function checkPattern(word: string) {
  try {
    compiled(word)
  } catch (cause) {
    throw new ChatError('InputError', `"${word}" is no pattern that RE2 knows`, {
      cause,
      fields: { words: `"${word}" is no pattern that RE2 knows` },
    })
  }
}
