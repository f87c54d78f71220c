import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { newIdempotencyKey } from '../http-client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useLeaveAddress } from '../members/use-member-search.ts'
import { useCallFailed } from '../ui/use-call-failed.ts'
import type { SelectedUser } from './start-chat.ts'
import { startChat } from './start-chat-call.ts'
import { useChat } from './use-chat.ts'

export interface FirstMessageFields {
  firstMessage?: string
  firstMessageImageUrl?: string
}

/**
 * Starts chats. One at a time: a second press while the first is under way does nothing, and a repetition after a
 * failure carries the same key, so that the server does its work once.
 */
export function useStartChat() {
  const t = useTranslate()
  const navigate = useNavigate()
  const callFailed = useCallFailed()
  const leaveAddress = useLeaveAddress()
  const { state, dispatch } = useChat()
  const [busy, setBusy] = useState<string>()
  const attempt = useRef<{ content: string; key: string }>(undefined)
  const running = useRef(false)

  async function start(kind: 'direct' | 'group', name: string, fields: Record<string, string>): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setBusy(name)
    dispatch({ type: 'StartChatClicked' })
    const content = JSON.stringify(fields)
    if (attempt.current?.content !== content) attempt.current = { content, key: newIdempotencyKey() }
    try {
      const { channelId } = await startChat(fields, attempt.current.key)
      attempt.current = undefined
      dispatch({ type: 'ChatStarted', kind, channelId })
      if (state.chatPageMounted) navigate(`/chat/${encodeURIComponent(channelId)}`)
      else leaveAddress()
      return true
    } catch (error) {
      dispatch({ type: 'StartChatFailed' })
      callFailed(error, t('startChat.failed'))
      return false
    } finally {
      running.current = false
      setBusy(undefined)
    }
  }

  return {
    /** The key of the row being started, or "group". */
    busy,

    direct: ({ userId, orgId }: SelectedUser, first: FirstMessageFields = {}) =>
      start('direct', `${userId}-${orgId}`, { type: 'direct', userId, orgId, ...filled(first) }),

    group: (groupName: string, selected: SelectedUser[], first: FirstMessageFields = {}) => {
      const pairs = selected.map(({ userId, orgId }) => ({ userId, orgId }))
      return start('group', 'group', {
        type: 'group',
        groupName,
        selectedUsers: JSON.stringify(pairs),
        ...filled(first),
      })
    },
  }
}

function filled(first: FirstMessageFields): Record<string, string> {
  return Object.fromEntries(Object.entries(first).filter(([, value]) => value?.trim()))
}
