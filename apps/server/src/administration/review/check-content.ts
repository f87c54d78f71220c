import { blockListsOf } from '../block-lists/known-lists.ts'
import { moderationOf } from './known-configs.ts'
/** Checks content that is not sent through this server, and records the results of an app's own engine. */

import {
  type CheckRequest,
  type CustomCheckRequest,
  MESSAGE_ENTITY,
  type ReviewQueueItem,
  type TriggeredRule,
  USER_ENTITY,
} from '@parley/protocol/review'
import type { Caller } from '../../chat/api/caller.ts'
import { accessMessage } from '../../chat/messages/message-access.ts'
import { isOfOwnTeams } from '../../chat/users/teams.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Server } from '../../server.ts'
import { foundBy, stronger } from '../block-lists/verdict.ts'
import { countEngineFlags, raiseVerdict, recommendedFor } from '../moderation/flag-by-list.ts'
import { type Found, NOBODY } from '../moderation/flag-wires.ts'
import { newFlag, raiseFlags } from '../moderation/raise-flags.ts'
import { entityTypeOf, messageEntity, ownEntity, payloadOf, type Reportable, userEntity } from './entities.ts'
import { itemWires } from './item-wires.ts'
import { type KnownConfig, readyParts } from './known-configs.ts'
import { publishCheck } from './publish-review-events.ts'

interface Checked {
  recommended_action: string
  status: 'complete'
  item?: ReviewQueueItem
  triggered_rule?: TriggeredRule
  triggered_rules?: TriggeredRule[]
}

/**
 * Checks content against a configuration. The content itself is not changed: the caller acts on the recommendation.
 * Findings go into the review queue, unless it is only a test [MOD2-12].
 *
 * @throws ChatError InputError (4) — no configuration is named or given
 * @throws ChatError DoesNotExistError (16) — there is no such configuration
 */
export async function checkContent(server: Server, caller: Caller, request: CheckRequest): Promise<Checked> {
  const { app } = caller
  const config = configFor(caller, request)
  const type = entityTypeOf(request.entity_type)
  const { entity_id: id, entity_creator_id: creatorId } = request
  const entity = await entityOf(server, caller, { type, id, creatorId, payload: request.moderation_payload })
  const text = (entity.payload.texts ?? []).join('\n')
  const [team = null] = entity.teams
  const listed = foundBy(blockListsOf(app), config.lists, text, text, team)
  const hurried = request.test_mode ? undefined : server.pace.verdictOn(app.id, creatorId, text, config)
  const verdict = stronger(listed, hurried)
  const recommended = verdict ? recommendedFor[verdict.does] : 'keep'
  const rules = [listed, hurried].flatMap((found): TriggeredRule[] =>
    found
      ? [
          {
            rule_id: `${found.by}:${found.list ?? recommendedFor[found.does]}`,
            ...(found.list !== undefined && { rule_name: found.list }),
            type: found.by,
            actions: [recommendedFor[found.does]],
          },
        ]
      : [],
  )
  const item = request.test_mode
    ? undefined
    : await server.commit.write(app.id, [], async (batch) => {
        const raised = verdict && (await raiseVerdict(server, batch, entity, verdict))
        publishCheck(batch, app.id, {
          entity_type: type,
          entity_id: id,
          recommended_action: recommended,
          review_queue_item_id: raised?.id ?? '',
        })
        return raised && (await itemWires(server, app.id, [raised], batch.db))[0]
      })
  return {
    recommended_action: recommended,
    status: 'complete',
    ...(item && { item }),
    ...(rules[0] && { triggered_rule: rules[0], triggered_rules: rules }),
  }
}

/** Puts the findings of the app's own engine into the review queue. */
export async function noteCustomCheck(
  server: Server,
  caller: Caller,
  request: CustomCheckRequest,
): Promise<ReviewQueueItem> {
  const app = caller.app.id
  const type = entityTypeOf(request.entity_type)
  const { entity_id: id, entity_creator_id: creatorId, moderation_payload: payload } = request
  const entity = await entityOf(server, caller, { type, id, creatorId, payload })
  return server.commit.write(app, [], async (batch) => {
    const before = await countEngineFlags(batch, app, entity.subject)
    const flags = request.flags.map(({ type, reason, labels, custom }, i) => {
      const data: Found = { ...(labels && { labels }), ...(custom && { custom: customOf(custom, new Set()) }) }
      return newFlag(entity, { user_id: NOBODY, type, n: before + i, reason, data }, batch.now())
    })
    const labels = request.flags.flatMap((flag) => flag.labels ?? [])
    const item = await raiseFlags(server, batch, entity, flags, { recommended: 'flag', severity: 50, labels })
    return (await itemWires(server, app, [item], batch.db))[0]!
  })
}

interface Named {
  type: string
  id: string
  creatorId: string | undefined
  payload: CheckRequest['moderation_payload'] | undefined
}

/** The content to check: an existing message or user, or the entity given in the request. */
async function entityOf(server: Server, caller: Caller, named: Named): Promise<Reportable> {
  const { type, id, payload } = named
  const known = await knownEntity(server, caller, named)
  if (!known) return ownEntity(server, caller.app.id, named)
  if (!isOfOwnTeams(caller, known.teams)) throw new ChatError('DoesNotExistError', `Can't find ${type} with id ${id}`)
  return { ...known, payload: { ...known.payload, ...payloadOf(payload) } }
}

async function knownEntity(server: Server, caller: Caller, { type, id }: Named): Promise<Reportable | undefined> {
  if (type === USER_ENTITY) {
    const user = await server.users.get(caller.app.id, id)
    return user && userEntity(user)
  }
  if (type !== MESSAGE_ENTITY) return undefined
  const found = await accessMessage(server, { ...caller, server: true }, id, 'read-channel').catch((error: unknown) => {
    // Some messages are checked before they are sent.
    if (error instanceof ChatError) return undefined
    throw error
  })
  return found && messageEntity(server, found.message)
}

function configFor(
  caller: Caller,
  { config_key: key, config_team: team = '', config }: CheckRequest,
): Pick<KnownConfig, 'lists' | 'pace' | 'allowed'> {
  if (key !== undefined) {
    const moderation = moderationOf(caller.app)
    // As in a channel of the team: its own configuration, or else the one for all.
    const nearest = moderation.get(key, team) ?? moderation.get(key)
    const known = isOfOwnTeams(caller, team === '' ? [] : [team]) ? nearest : undefined
    if (!known) throw new ChatError('DoesNotExistError', `Can't find moderation config with key ${key}`)
    return known
  }
  if (!config) throw inputError('config_key', 'either config_key or config must be set')
  return readyParts(config)
}
