import type { ChatClient } from '@parley/client'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { CallError, newIdempotencyKey } from '../http-client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useLeaveAddress } from '../members/use-member-search.ts'
import { noticeError } from '../ui/notices.tsx'
import { selectionKey } from './chat-state.ts'
import { channelPath } from './message-path.ts'
import type { SelectedUser } from './start-chat.ts'
import { startChat } from './start-chat-call.ts'
import { useChat } from './use-chat.ts'

export interface FirstMessageFields {
  firstMessage?: string
  /** Uploaded once the chat is started. */
  picture?: File
}

export interface StartOutcome {
  /** Whether the form is done with: the chat was started, and what was written is in it. */
  done: boolean
  /** What is wrong with the first message, if that is why it was not started. */
  firstMessageError?: string
}

/** The last attempt of this page that has failed; kept while the dialog is closed. */
let failed: { chat: string; key: string } | undefined

/**
 * Starts chats, one at a time: a second press during a request does nothing, and a retry after a failure has the same
 * key, so that the server makes the chat once, also when the first message was changed meanwhile [NEW-64].
 */
export function useStartChat() {
  const t = useTranslate()
  const navigate = useNavigate()
  const leaveAddress = useLeaveAddress()
  const { state, dispatch, client } = useChat()
  const [busy, setBusy] = useState<string>()
  const running = useRef(false)
  const uploaded = useRef(new WeakMap<File, string>())

  /** The uploaded picture's URL; a retry does not upload it again. */
  async function addressOf(picture: File): Promise<string> {
    const known = uploaded.current.get(picture)
    if (known) return known
    const body = new FormData()
    body.set('file', picture)
    const { file } = await client!.request<{ file: string }>('POST', '/uploads/image', { body })
    uploaded.current.set(picture, file)
    return file
  }

  async function start(
    kind: 'direct' | 'group',
    name: string,
    chat: Record<string, string>,
    { firstMessage, picture }: FirstMessageFields,
  ): Promise<StartOutcome> {
    if (running.current) return { done: false }
    running.current = true
    setBusy(name)
    dispatch({ type: 'StartChatClicked' })
    let address: string | undefined
    try {
      if (picture) address = await addressOf(picture)
      const fields = {
        ...chat,
        ...(firstMessage?.trim() && { firstMessage }),
        ...(address && { firstMessageImageUrl: address }),
      }
      const wanted = JSON.stringify(chat)
      if (failed?.chat !== wanted) failed = { chat: wanted, key: newIdempotencyKey() }
      const { channelId, unsent } = await startChat(fields, failed.key)
      failed = undefined
      if (unsent) noticeError(unsent)
      const done = !unsent || (await writeAgain(client, channelId, firstMessage, address))
      dispatch({ type: 'ChatStarted', kind, channelId })
      if (state.chatPageMounted) void navigate(channelPath(channelId))
      else leaveAddress()
      return { done }
    } catch (error) {
      dispatch({ type: 'StartChatFailed' })
      if (error instanceof CallError && error.field === 'firstMessage')
        return { done: false, firstMessageError: error.said }
      sayWhy(error, t(picture && !address ? 'newChat.image.failed' : 'startChat.failed'))
      return { done: false }
    } finally {
      running.current = false
      setBusy(undefined)
    }
  }

  return {
    /** The key of the row being started, or "group". */
    busy,

    direct: (user: SelectedUser, first: FirstMessageFields = {}) => {
      const { userId, orgId } = user
      return start('direct', selectionKey(user), { type: 'direct', userId, orgId }, first)
    },

    group: (groupName: string, selected: SelectedUser[], first: FirstMessageFields = {}) => {
      const pairs = selected.map(({ userId, orgId }) => ({ userId, orgId }))
      return start('group', 'group', { type: 'group', groupName, selectedUsers: JSON.stringify(pairs) }, first)
    },
  }
}

/** Puts a first message that was not sent into the composer of its chat, so that nothing written is lost [NEW-63]. */
async function writeAgain(client: ChatClient | undefined, cid: string, text = '', imageUrl: string | undefined) {
  try {
    const [type = '', id = ''] = cid.split(':')
    const { composer } = client!.channel(type, id)
    composer.setText(text)
    if (imageUrl) await composer.context.withUploads((all) => all.restore([{ type: 'image', image_url: imageUrl }]))
    return true
  } catch (error) {
    console.error('The first message stays in its form.', error)
    return false
  }
}

/** Shows the server's text, if there is one [TOA-7]; a user who is signed out goes to sign-in. */
function sayWhy(error: unknown, otherwise: string): void {
  if (!(error instanceof CallError)) console.error(error)
  else if (error.status === 401) return
  noticeError((error instanceof CallError && error.said) || otherwise)
}
