/** The chat state of the product as one pure function. Every change is a named event. */
import type { ProductChannel } from './chat-service.server.ts'
import type { SelectedUser } from './start-chat.ts'

/** A person selected for a new group, with what the chips of the modal show. */
export interface SelectedPerson extends SelectedUser {
  givenName: string
  familyName: string
  imageUrl: string | null
  organization: string
}

/** The three views of the modal, in this sequence [NEW-2]. */
export type NewChatView = 'direct' | 'group' | 'groupSettings'

export interface ChatState {
  chatWidgetVisible: boolean
  chatWidgetOpen: boolean
  chatPageMounted: boolean
  /** The cid of the channel on screen; null while none is chosen. */
  activeChannelId: string | null
  clientInitialized: boolean
  unreadCount: number
  unreadChannels: number
  /** Whether the widget shows a channel instead of the list. */
  chatChannelOpen: boolean
  userChannels: ProductChannel[]
  userChannelsLoading: boolean
  newChatModalOpen: boolean
  newChatView: NewChatView
  selectedUsers: SelectedPerson[]
  /** The modal's last search. */
  searchQuery: string
  /** While a chat is being started: the state to restore on failure. */
  beforeStart: BeforeStart | null
}

/** The part of the state that an attempt to start a chat may change. Unread counts go on changing meanwhile. */
export type BeforeStart = Pick<
  ChatState,
  | 'newChatModalOpen'
  | 'newChatView'
  | 'selectedUsers'
  | 'searchQuery'
  | 'activeChannelId'
  | 'chatWidgetOpen'
  | 'chatChannelOpen'
>

/** Every flag false, no channel, nothing unread [WID-10]. */
export const initialChatState: ChatState = {
  chatWidgetVisible: false,
  chatWidgetOpen: false,
  chatPageMounted: false,
  activeChannelId: null,
  clientInitialized: false,
  unreadCount: 0,
  unreadChannels: 0,
  chatChannelOpen: false,
  userChannels: [],
  userChannelsLoading: false,
  newChatModalOpen: false,
  newChatView: 'direct',
  selectedUsers: [],
  searchQuery: '',
  beforeStart: null,
}

export type ChatStateEvent =
  /** `totalUnreadCount` exactly as in the response. */
  | { type: 'ClientInitialized'; totalUnreadCount: unknown; unreadChannels?: unknown }
  | { type: 'ChatPageMounted' }
  | { type: 'ChatPageUnmounted' }
  | { type: 'ChatWidgetOpenClicked' }
  | { type: 'ChatWidgetCloseClicked' }
  | { type: 'ChannelSelected'; channelId: string }
  /** A "Message" button in the product was pressed. */
  | { type: 'BilateralOrganizationalChatSelected'; channelId: string }
  /** The counts of an event; a missing count changes nothing [APP-25]. */
  | { type: 'UnreadMessageNotification'; unreadCount?: number; unreadChannels?: number }
  | { type: 'ChatChannelOpenClicked' }
  | { type: 'ChatChannelCloseClicked' }
  | { type: 'ChannelListFetched' }
  | { type: 'ChannelListUpdated'; channels: ProductChannel[] }
  | { type: 'ChannelSpokenIn'; channelId: string; at: string }
  | { type: 'NewChatModalOpenClicked' }
  | { type: 'NewChatModalCloseClicked' }
  | { type: 'NewChatViewSwitched'; view: NewChatView }
  | { type: 'UserToggled'; user: SelectedPerson }
  | { type: 'SelectionRestored'; users: SelectedPerson[] }
  | { type: 'SearchSubmitted'; query: string }
  | { type: 'StartChatClicked' }
  | { type: 'ChatStarted'; kind: 'direct' | 'group'; channelId: string }
  | { type: 'StartChatFailed' }

export function chatState(state: ChatState, event: ChatStateEvent): ChatState {
  switch (event.type) {
    case 'ClientInitialized':
      return {
        ...state,
        clientInitialized: true,
        unreadCount: numberOr(event.totalUnreadCount, 0),
        unreadChannels: numberOr(event.unreadChannels, state.unreadChannels),
        chatWidgetVisible: !state.chatPageMounted,
      }
    case 'ChatPageMounted':
      return { ...state, chatPageMounted: true, chatWidgetVisible: false, chatWidgetOpen: false }
    case 'ChatPageUnmounted':
      return { ...state, chatPageMounted: false, chatWidgetVisible: true }
    case 'ChatWidgetOpenClicked':
      return openWidget(state)
    case 'ChatWidgetCloseClicked':
      return { ...state, chatWidgetOpen: false }
    case 'ChannelSelected':
      return { ...state, activeChannelId: event.channelId }
    case 'BilateralOrganizationalChatSelected':
      return openWidget({ ...state, activeChannelId: event.channelId, chatChannelOpen: true })
    case 'UnreadMessageNotification':
      return {
        ...state,
        unreadCount: numberOr(event.unreadCount, state.unreadCount),
        unreadChannels: numberOr(event.unreadChannels, state.unreadChannels),
      }
    case 'ChatChannelOpenClicked':
      return { ...state, chatChannelOpen: true }
    case 'ChatChannelCloseClicked':
      return { ...state, chatChannelOpen: false }
    case 'ChannelListFetched':
      return { ...state, userChannelsLoading: true }
    case 'ChannelListUpdated':
      return { ...state, userChannels: event.channels, userChannelsLoading: false }
    case 'ChannelSpokenIn':
      return spokenIn(state, event.channelId, event.at)
    case 'NewChatModalOpenClicked':
      return { ...state, newChatModalOpen: true, newChatView: 'direct' }
    case 'NewChatModalCloseClicked':
      return { ...state, newChatModalOpen: false, newChatView: 'direct', selectedUsers: [], searchQuery: '' }
    case 'NewChatViewSwitched':
      return {
        ...state,
        newChatView: event.view,
        selectedUsers: event.view === 'direct' ? [] : state.selectedUsers,
      }
    case 'UserToggled':
      return { ...state, selectedUsers: toggled(state.selectedUsers, event.user) }
    case 'SelectionRestored':
      return { ...state, newChatView: 'group', selectedUsers: event.users }
    case 'SearchSubmitted':
      return { ...state, searchQuery: event.query }
    case 'StartChatClicked':
      return { ...state, beforeStart: beforeStart(state) }
    case 'ChatStarted':
      return started(state, event)
    case 'StartChatFailed':
      return { ...state, ...state.beforeStart, ...whilePageMounted(state), beforeStart: null }
    default:
      return event satisfies never
  }
}

/** The counts of the unread toast while it may be shown; otherwise undefined [TOA-3, TOA-4, TOA-6]. */
export function unreadToast(state: ChatState): { messages: number; channels: number } | undefined {
  const { clientInitialized, chatWidgetOpen, chatPageMounted, newChatModalOpen, unreadCount, unreadChannels } = state
  if (!clientInitialized || chatWidgetOpen || chatPageMounted || newChatModalOpen) return undefined
  if (unreadCount <= 0) return undefined
  return { messages: unreadCount, channels: Math.max(unreadChannels, 1) }
}

/** Whether the list has loaded and is empty. */
export function isDoNotDisturb({ clientInitialized, userChannelsLoading, userChannels }: ChatState): boolean {
  return clientInitialized && !userChannelsLoading && userChannels.length === 0
}

/** One person in two organizations is two rows and can be two keys [NEW-35]. */
export function selectionKey({ userId, orgId }: SelectedUser): string {
  return `${userId}-${orgId}`
}

/** The channel moves to the top, as in a list that is fetched now. */
function spokenIn(state: ChatState, channelId: string, at: string): ChatState {
  const channel = state.userChannels.find(({ cid }) => cid === channelId)
  if (!channel || (channel.lastMessageAt && new Date(at) <= new Date(channel.lastMessageAt))) return state
  const others = state.userChannels.filter((other) => other !== channel)
  return { ...state, userChannels: [{ ...channel, lastMessageAt: at }, ...others] }
}

/** The chat page already shows chat, so the widget always stays closed there [WID-32, WID-35]. */
function openWidget(state: ChatState): ChatState {
  return state.chatPageMounted ? state : { ...state, chatWidgetOpen: true }
}

function whilePageMounted({ chatPageMounted }: ChatState): Partial<ChatState> {
  return chatPageMounted ? { chatWidgetOpen: false } : {}
}

/** The new channel is on screen at once: on the chat page in its place, elsewhere in the widget [NEW-44]. */
function started(state: ChatState, { kind, channelId }: { kind: 'direct' | 'group'; channelId: string }): ChatState {
  return openWidget({
    ...state,
    newChatModalOpen: false,
    newChatView: 'direct',
    searchQuery: '',
    selectedUsers: kind === 'group' ? [] : state.selectedUsers,
    activeChannelId: channelId,
    chatChannelOpen: true,
    beforeStart: null,
  })
}

function beforeStart(state: ChatState): BeforeStart {
  const { newChatModalOpen, newChatView, selectedUsers, searchQuery } = state
  const { activeChannelId, chatWidgetOpen, chatChannelOpen } = state
  return {
    newChatModalOpen,
    newChatView,
    selectedUsers,
    searchQuery,
    activeChannelId,
    chatWidgetOpen,
    chatChannelOpen,
  }
}

function toggled(selected: SelectedPerson[], user: SelectedPerson): SelectedPerson[] {
  const key = selectionKey(user)
  const without = selected.filter((other) => selectionKey(other) !== key)
  return without.length < selected.length ? without : [...selected, user]
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}
