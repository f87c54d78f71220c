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

/**
 * Starts chats. One at a time: a second press while the first is under way does nothing, and a repetition after a
 * failure carries the same key, so that the server does its work once.
 */
export function useStartChat() {
  const t = useTranslate()
  const navigate = useNavigate()
  const leaveAddress = useLeaveAddress()
  const { state, dispatch, client } = useChat()
  const [busy, setBusy] = useState<string>()
  const attempt = useRef<{ content: string; key: string }>(undefined)
  const running = useRef(false)
  const uploaded = useRef(new WeakMap<File, string>())

  /** Where a picture is; trying again does not upload it again. */
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
  ): Promise<boolean> {
    if (running.current) return false
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
      const content = JSON.stringify(fields)
      if (attempt.current?.content !== content) attempt.current = { content, key: newIdempotencyKey() }
      const { channelId } = await startChat(fields, attempt.current.key)
      attempt.current = undefined
      dispatch({ type: 'ChatStarted', kind, channelId })
      if (state.chatPageMounted) void navigate(channelPath(channelId))
      else leaveAddress()
      return true
    } catch (error) {
      dispatch({ type: 'StartChatFailed' })
      sayWhy(error, t(picture && !address ? 'newChat.image.failed' : 'startChat.failed'))
      return false
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

/** In the server's own words, if it gave any [TOA-7]; whoever has to sign in again is led there. */
function sayWhy(error: unknown, otherwise: string): void {
  if (!(error instanceof CallError)) console.error(error)
  else if (error.status === 401) return
  noticeError((error instanceof CallError && error.said) || otherwise)
}
