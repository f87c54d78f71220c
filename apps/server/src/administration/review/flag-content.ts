import { type FlagContentRequest, MESSAGE_ENTITY, USER_ENTITY } from '@parley/protocol/review'
import type { Static } from 'typebox'
import { actingUser, type Caller, namedUser } from '../../chat/api/caller.ts'
import type { Server } from '../../server.ts'
import { flagBy, flaggableMessage, flaggableUser, placesOf } from '../moderation/flag.ts'
import { entityTypeOf, ownEntity, payloadOf, type Reportable } from './entities.ts'

/**
 * Reports a message, a user, or a custom entity to the moderators [MOD2-2]. A repeated report by the same user updates
 * the reason of the one flag.
 *
 * @returns the id of its review item
 * @throws ChatError InputError (4) — no creator is named
 * @throws ChatError DoesNotExistError (16), NotAllowedError (17)
 */
export async function flagContent(
  server: Server,
  caller: Caller,
  request: Static<typeof FlagContentRequest>,
): Promise<string> {
  const user = actingUser(caller)
  const entity = await flaggable(server, caller, request)
  const { itemId } = await server.commit.write(caller.app.id, placesOf(entity), (batch) =>
    flagBy(server, batch, user, entity, request, { twice: 'updated' }),
  )
  return itemId
}

async function flaggable(
  server: Server,
  caller: Caller,
  { entity_type, entity_id: id, entity_creator_id: creatorId, moderation_payload }: Static<typeof FlagContentRequest>,
): Promise<Reportable> {
  const type = entityTypeOf(entity_type)
  if (type === MESSAGE_ENTITY) return flaggableMessage(server, caller, id)
  if (type !== USER_ENTITY) {
    namedUser(caller)
    return ownEntity(server, caller.app.id, { type, id, creatorId, payload: moderation_payload })
  }
  const user = await flaggableUser(server, caller, id)
  return { ...user, payload: payloadOf(moderation_payload) }
}
