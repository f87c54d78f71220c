import { cidOf } from '@parley/protocol/cid'
import type { ImportData } from '@parley/protocol/imports'
import { isErased } from '../../chat/channels/delete-channel.ts'
import { tagsOf, withTags } from '../../chat/channels/filter-tags.ts'
import { emptyChannel } from '../../chat/channels/get-or-create.ts'
import { holdTypes } from '../../chat/channels/hold-types.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import { channelNamed, customData } from './check-line.ts'
import type { Importing } from './import-lines.ts'
import { putItems } from './import-store.ts'
import { addChannels, putBans, putFutureBans, updateChannels } from './imported-store.ts'
import { customAfter, flagAfter, timeAfter } from './listed.ts'

/**
 * Existing channels are updated, or left as they are; a soft-deleted one is restored with its remaining content, and a
 * hard-deleted one is created as new.
 *
 * @throws ChatError DoesNotExistError (16) — their type was deleted concurrently, which fails the import
 */
export async function importChannels(
  { app, row }: Importing,
  batch: Batch,
  channels: readonly ImportData<'channel'>[],
) {
  const { db, dialect } = batch
  const now = batch.now()
  await holdTypes(
    batch,
    app,
    channels.map(({ type }) => type),
  )
  const fresh: ChannelRow[] = []
  const changed: ChannelRow[] = []
  for (const data of channels) {
    const { id, distinct } = channelNamed(data)
    const known = batch.channel(app.id, cidOf(data.type, id))
    if (known && known.deleted_at === null && row.mode === 'insert') continue
    if (known) {
      const at = batch.nextTime(known)
      if (isErased(known)) Object.assign(known, clean(known))
      Object.assign(known, channelAfter(row, data, known, at), { deleted_at: null })
      changed.push(known)
    } else {
      const created_at = timeAfter(data.created_at, now)
      const empty = emptyChannel(app.id, data.type, id, distinct, created_at)
      fresh.push({ ...empty, ...channelAfter(row, data, empty, created_at) })
    }
  }
  await addChannels(db, dialect, fresh)
  for (const channel of fresh) batch.created(channel)
  await updateChannels(db, dialect, changed)
  const imported = [...fresh, ...changed]
  for (const { cid } of imported) batch.changedChannels.add(`${app.id}|${cid}`)
  const cids = new Map(imported.map(({ cid }) => [cid, null]))
  await putItems(db, dialect, { app: app.id, id: row.id, list: 'channels' }, cids)
  const bans = channels.flatMap((data) => {
    const cid = cidOf(data.type, channelNamed(data).id)
    const about = {
      app: app.id,
      cid,
      banned_by: data.created_by,
      reason: null,
      shadow: 0,
      expires: null,
      lapsed: 0,
    } as const
    if (!cids.has(cid)) return []
    return (data.banned_users ?? []).map((target_id) => ({ ...about, target_id, created_at: now }))
  })
  await putBans(db, dialect, bans)
}

export async function importFutureBans(
  { app, row }: Importing,
  batch: Batch,
  bans: readonly ImportData<'future_channel_ban'>[],
) {
  const rows = bans.map(({ created_by, target_id, reason, shadow, created_at }) => ({
    app: app.id,
    banned_by: created_by,
    target_id,
    reason: reason ?? null,
    shadow: flagAfter(shadow, 0),
    created_at: timeAfter(created_at, batch.now()),
    expires: null,
  }))
  await putFutureBans(batch.db, batch.dialect, rows, { keepKnown: row.mode === 'insert' })
}

const said = [
  'team',
  'name',
  'image',
  'frozen',
  'disabled',
  'cooldown',
  'data',
  'overrides_json',
  'truncated_at',
  'truncated_by',
  'auto_translation_enabled',
  'auto_translation_language',
] as const satisfies readonly (keyof ChannelRow)[]

/** The defaults of a channel before a line sets its fields; its counters continue. */
function clean({ app, type, id, distinct_members, created_at }: ChannelRow): Partial<ChannelRow> {
  const empty = emptyChannel(app, type, id, distinct_members, created_at)
  return Object.fromEntries(said.map((field) => [field, empty[field]]))
}

function channelAfter(
  row: Importing['row'],
  data: ImportData<'channel'>,
  before: ChannelRow,
  at: number,
): Partial<ChannelRow> {
  const custom = customAfter(row, customData({ type: 'channel', data }), before.data)
  const tags = (data as { filter_tags?: unknown }).filter_tags
  return {
    created_by: data.created_by,
    name: data.name ?? before.name,
    image: data.image ?? before.image,
    team: data.team ?? before.team,
    frozen: flagAfter(data.frozen, before.frozen),
    disabled: flagAfter(data.disabled, before.disabled),
    data: withTags(custom, isTexts(tags) ? tags : tagsOf(before)),
    created_at: timeAfter(data.created_at, before.created_at),
    truncated_at: timeAfter(data.truncated_at, before.truncated_at),
    updated_at: at,
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
