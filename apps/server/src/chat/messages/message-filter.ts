import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  type Entity,
  listOf,
  numberColumn,
  operators,
  type SpecialField,
  textColumn,
  tieBreak,
  timeOrNoneColumn,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import type { Micros } from '../../platform/micros.ts'

/** The fields messages can be filtered and sorted by [messaging.md 8.1]. The message's row is `g`. */
export function messageEntity(dialect: Dialect, now: Micros): Entity {
  return {
    filterName: 'filter',
    custom: 'g.data',
    tieBreak: [tieBreak('g.id')],
    fields: {
      id: textColumn('g.id'),
      text: { ...textColumn('g.text'), operators: operators.text },
      type: textColumn('g.type'),
      parent_id: { ...textColumn('g.parent_id'), operators: operators.comparisonsAndExists },
      reply_count: numberColumn('g.reply_count'),
      attachments: present('attachments', sql`g.attachments_json`),
      'attachments.type': amongAttachments(dialect),
      'mentioned_users.id': amongMentions(dialect),
      'user.id': textColumn('g.user_id'),
      created_at: timeOrNoneColumn('g.created_at'),
      updated_at: timeOrNoneColumn('g.updated_at'),
      pinned: {
        kind: 'flag',
        sql: sql`(case when g.pinned_at is not null and g.deleted_at is null
          and (g.pin_expires is null or g.pin_expires > ${now}) then 1 else 0 end)`,
        operators: operators.flag,
      },
      pinned_at: timeOrNoneColumn('g.pinned_at'),
      'pinned_by.id': textColumn('g.pinned_by'),
    },
  }
}

function present(name: string, column: RawBuilder<unknown>): SpecialField {
  return {
    kind: 'special',
    operators: ['$exists'],
    compile(_, value) {
      if (typeof value !== 'boolean') throw wrongType(name, 'a boolean')
      return value ? sql<boolean>`${column} is not null` : sql<boolean>`${column} is null`
    },
  }
}

function amongAttachments(dialect: Dialect): SpecialField {
  const json = sql.raw(dialect.columnTypes.json)
  return {
    kind: 'special',
    operators: ['$eq', '$in'],
    compile(operator, value) {
      const types = textsOf('attachments.type', operator, value)
      return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('g.attachments_json')} a
        where cast(a.value as ${json}) ->> 'type' ${dialect.among(types, 'text')})`
    },
  }
}

function amongMentions(dialect: Dialect): SpecialField {
  return {
    kind: 'special',
    operators: ['$contains'],
    compile(_, value) {
      if (typeof value !== 'string') throw wrongType('mentioned_users.id', 'a string')
      return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('g.mentions_json')} a where a.value = ${value})`
    },
  }
}

function textsOf(name: string, operator: string, value: unknown): string[] {
  const list = operator === '$in' ? listOf(name, operator, value) : [value]
  if (!list.every((item) => typeof item === 'string')) throw wrongType(name, 'a string')
  return list
}
