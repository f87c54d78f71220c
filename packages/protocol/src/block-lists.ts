import Type, { type Static } from 'typebox'
import { BLOCK_LIST_WORDS } from './limits.ts'
import { answer, Time } from './wire.ts'

/** How words that are written otherwise are found, too. */
const disguises = {
  is_leet_check_enabled: Type.Boolean({ description: '`cr3am`' }),
  is_plural_check_enabled: Type.Boolean({ description: '`creams`' }),
  is_substring_matching_enabled: Type.Boolean({ description: '`screamed`' }),
  is_confusable_folding_enabled: Type.Boolean({ description: 'letters that look like others' }),
}
const type = Type.Enum(['word', 'regex', 'domain', 'domain_allowlist', 'email', 'email_allowlist'])
const words = Type.Array(Type.String(), { maxItems: BLOCK_LIST_WORDS })

/** Terms that messages must not contain in channels whose type names the list [administration.md 5.1]. */
export const BlockList = Type.Object({
  name: Type.String(),
  words: Type.Array(Type.String()),
  type,
  ...disguises,
  team: Type.Optional(Type.String()),
  created_at: Time,
  updated_at: Time,
})
export type BlockList = Static<typeof BlockList>
export type BlockListType = BlockList['type']

const changes = {
  team: Type.Optional(Type.String()),
  ...(Object.fromEntries(Object.entries(disguises).map(([key, shape]) => [key, Type.Optional(shape)])) as {
    [Key in keyof typeof disguises]: Type.TOptional<Type.TBoolean>
  }),
}
export const CreateBlockListRequest = Type.Object({
  name: Type.String(),
  words,
  type: Type.Optional(type),
  ...changes,
})
export type CreateBlockListRequest = Static<typeof CreateBlockListRequest>
export const UpdateBlockListRequest = Type.Object({ words: Type.Optional(words), ...changes })
export type UpdateBlockListRequest = Static<typeof UpdateBlockListRequest>
/** They are added to those the list has. */
export const ImportBlockListRequest = Type.Object({ words })
export const BlockListQuery = Type.Object({ team: Type.Optional(Type.String()) })

export const BlockListAnswer = answer({ blocklist: BlockList })
export const BlockListsAnswer = answer({ blocklists: Type.Array(BlockList) })
