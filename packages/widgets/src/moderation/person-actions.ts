import type { BanOptions, Channel, ChatClient, User } from '@parley/client'
import { personName } from '../chat/seen-name.ts'
import type { TextKey } from '../i18n/translate.ts'
import { NOTICE_LIFE_MS } from '../limits.ts'
import type { Notices } from '../notices/notices.ts'

type Person = Pick<User, 'id' | 'name'>

/** The options of a ban from a channel. */
export type Ban = Pick<BanOptions, 'timeout' | 'reason' | 'delete_messages' | 'shadow'>

export interface PersonActions {
  mute: (person: Person) => void
  unmute: (person: Person) => void
  ban: (person: Person, how?: Ban) => void
  unban: (person: Person) => void
  block: (person: Person) => void
  unblock: (person: Person) => void
}

/**
 * The moderation actions on a user [MOD-15, MOD-16]. Each shows a notice with an undo button; a failure has its own
 * notice [TOA-19, TOA-20].
 */
export function personActions(client: ChatClient, notices: Notices, channel: Channel): PersonActions {
  const attempt = async (work: Promise<unknown>, failed: TextKey, done: () => void) => {
    try {
      await work
      done()
    } catch (error) {
      notices.failed(failed, error)
    }
  }
  /** An action that can be undone elsewhere, too, is offered no longer than any other notice is shown. */
  const undoable = (key: TextKey, person: Person, run: () => void) =>
    notices.show('success', key, {
      values: { name: personName(person) },
      action: { label: 'undo', run },
      lifeMs: NOTICE_LIFE_MS,
    })
  const said = (key: TextKey, person: Person) => notices.show('success', key, { values: { name: personName(person) } })

  const actions: PersonActions = {
    mute: (person) =>
      void attempt(client.muteUser(person.id), 'mute.failed', () =>
        undoable('mute.done', person, () => actions.unmute(person)),
      ),
    unmute: (person) => void attempt(client.unmuteUser(person.id), 'unmute.failed', () => said('unmute.done', person)),
    ban: (person, how = {}) =>
      void attempt(channel.banUser(person.id, how), 'ban.failed', () =>
        undoable(how.shadow ? 'ban.shadow.done' : 'ban.done', person, () => actions.unban(person)),
      ),
    unban: (person) => void attempt(channel.unbanUser(person.id), 'unban.failed', () => said('unban.done', person)),
    block: (person) =>
      void attempt(client.blockUser(person.id), 'block.failed', () =>
        undoable('block.done', person, () => actions.unblock(person)),
      ),
    unblock: (person) =>
      void attempt(client.unBlockUser(person.id), 'unblock.failed', () => said('unblock.done', person)),
  }
  return actions
}
