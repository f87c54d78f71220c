import { describe, expect, it } from 'vitest'
import {
  type ChatState,
  type ChatStateEvent,
  chatState,
  initialChatState,
  type SelectedPerson,
  unreadToast,
} from './chat-state.ts'

const face = { id: 'messaging:tea', image: null }
const tea = { cid: 'messaging:tea', id: 'tea', type: 'messaging', name: 'Tea' }
const channel = { ...tea, face, memberIds: [], lastMessageAt: null }

const bo: SelectedPerson = {
  userId: 'bo',
  orgId: 'kiku',
  givenName: 'Bo',
  familyName: 'Nakamura',
  imageUrl: null,
  organization: 'Kiku Robotics',
}
const dana: SelectedPerson = { ...bo, userId: 'dana', orgId: 'hansenvogt', givenName: 'Dana' }

/** The state after these events, from the initial or from a given state. */
function after(...given: (Partial<ChatState> | ChatStateEvent)[]): ChatState {
  let state = initialChatState
  for (const step of given) state = 'type' in step ? chatState(state, step) : { ...state, ...step }
  return state
}

describe('the chat state', () => {
  it('[WID-1] [WID-2] [WID-3] [WID-4] [WID-5] [WID-6] [WID-7] [WID-8] [WID-9] [WID-10] starts with nothing open and nothing unread', () => {
    expect(initialChatState).toMatchObject({
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
    })
  })

  it('[WID-11] [WID-12] [WID-14] a connected client shows the widget with the unread total', () => {
    const state = after({ type: 'ClientInitialized', totalUnreadCount: 7 })
    expect(state).toMatchObject({ clientInitialized: true, unreadCount: 7, chatWidgetVisible: true })
  })

  it.each([undefined, null, '7', Number.NaN])('[WID-13] a total that is %s counts as 0', (totalUnreadCount) => {
    expect(after({ unreadCount: 3 }, { type: 'ClientInitialized', totalUnreadCount }).unreadCount).toBe(0)
  })

  it('[WID-15] a client that connects on the chat page leaves the widget hidden', () => {
    const state = after({ type: 'ChatPageMounted' }, { type: 'ClientInitialized', totalUnreadCount: 1 })
    expect(state).toMatchObject({ clientInitialized: true, chatWidgetVisible: false })
  })

  it('[WID-16] [WID-17] the chat page hides and closes the widget', () => {
    const state = after({ chatWidgetVisible: true, chatWidgetOpen: true }, { type: 'ChatPageMounted' })
    expect(state).toMatchObject({ chatPageMounted: true, chatWidgetVisible: false, chatWidgetOpen: false })
  })

  it('[WID-18] leaving the chat page shows the widget again', () => {
    const state = after({ type: 'ChatPageMounted' }, { type: 'ChatPageUnmounted' })
    expect(state).toMatchObject({ chatPageMounted: false, chatWidgetVisible: true })
  })

  it('[WID-19] [WID-20] the widget opens and closes by click', () => {
    const open = after({ type: 'ChatWidgetOpenClicked' })
    expect(open.chatWidgetOpen).toBe(true)
    expect(chatState(open, { type: 'ChatWidgetCloseClicked' }).chatWidgetOpen).toBe(false)
  })

  it('[WID-21] a selected channel becomes the active one', () => {
    expect(after({ type: 'ChannelSelected', channelId: 'messaging:tea' }).activeChannelId).toBe('messaging:tea')
  })

  it('[WID-22] [WID-23] a chat selected elsewhere becomes active and opens the widget', () => {
    const state = after({ type: 'BilateralOrganizationalChatSelected', channelId: 'messaging:tea' })
    expect(state).toMatchObject({ activeChannelId: 'messaging:tea', chatWidgetOpen: true })
  })

  it('[WID-24] [APP-19] [APP-20] [APP-21] [APP-22] takes both unread counts from an event', () => {
    const state = after({ type: 'UnreadMessageNotification', unreadCount: 5, unreadChannels: 2 })
    expect(state).toMatchObject({ unreadCount: 5, unreadChannels: 2 })
  })

  it('[APP-25] keeps a count that the event lacks and accepts 0 like any other', () => {
    const before = { unreadCount: 5, unreadChannels: 2 }
    expect(after(before, { type: 'UnreadMessageNotification' })).toMatchObject(before)
    expect(after(before, { type: 'UnreadMessageNotification', unreadCount: 0 })).toMatchObject({
      unreadCount: 0,
      unreadChannels: 2,
    })
  })

  it('[WID-25] [WID-26] the channel pane opens and closes by click', () => {
    const open = after({ type: 'ChatChannelOpenClicked' })
    expect(open.chatChannelOpen).toBe(true)
    expect(chatState(open, { type: 'ChatChannelCloseClicked' }).chatChannelOpen).toBe(false)
  })

  it('[WID-27] [WID-28] [WID-29] the channel list loads and arrives', () => {
    const loading = after({ type: 'ChannelListFetched' })
    expect(loading.userChannelsLoading).toBe(true)
    expect(chatState(loading, { type: 'ChannelListUpdated', channels: [channel] })).toMatchObject({
      userChannels: [channel],
      userChannelsLoading: false,
    })
  })

  it('a channel with a new message moves to the top; an older message moves nothing', () => {
    const at = '2026-06-03T14:05:00.000Z'
    const coffee = { ...channel, cid: 'messaging:coffee', lastMessageAt: '2026-06-03T14:00:00.000Z' }
    const listed = after({ userChannels: [coffee, channel] })
    const spoken = chatState(listed, { type: 'ChannelSpokenIn', channelId: channel.cid, at })
    expect(spoken.userChannels).toEqual([{ ...channel, lastMessageAt: at }, coffee])
    const late = { type: 'ChannelSpokenIn', channelId: coffee.cid, at: '2026-06-03T13:00:00.123456Z' } as const
    expect(chatState(spoken, late)).toBe(spoken)
  })

  it('[WID-30] [WID-31] the new-chat modal opens and closes by click', () => {
    const open = after({ type: 'NewChatModalOpenClicked' })
    expect(open.newChatModalOpen).toBe(true)
    expect(chatState(open, { type: 'NewChatModalCloseClicked' }).newChatModalOpen).toBe(false)
  })

  it('[WID-32] no event on the chat page shows or opens the widget', () => {
    const anything: ChatStateEvent[] = [
      { type: 'ClientInitialized', totalUnreadCount: 3 },
      { type: 'ChatWidgetOpenClicked' },
      { type: 'ChannelSelected', channelId: 'messaging:tea' },
      { type: 'BilateralOrganizationalChatSelected', channelId: 'messaging:tea' },
      { type: 'UnreadMessageNotification', unreadCount: 1, unreadChannels: 1 },
      { type: 'ChatChannelOpenClicked' },
      { type: 'ChannelListUpdated', channels: [channel] },
      { type: 'NewChatModalOpenClicked' },
      { type: 'StartChatClicked' },
      { type: 'ChatStarted', kind: 'direct', channelId: 'messaging:tea' },
      { type: 'StartChatFailed' },
    ]
    let state = after({ chatWidgetVisible: true, chatWidgetOpen: true }, { type: 'ChatPageMounted' })
    for (const event of anything) {
      state = chatState(state, event)
      expect(state, event.type).toMatchObject({ chatWidgetVisible: false, chatWidgetOpen: false })
    }
  })

  it('an event changes only its own fields', () => {
    const busy: ChatState = {
      ...initialChatState,
      chatWidgetVisible: true,
      activeChannelId: 'messaging:coffee',
      clientInitialized: true,
      unreadCount: 3,
      unreadChannels: 2,
      userChannels: [channel],
      newChatView: 'group',
      selectedUsers: [bo],
      searchQuery: 'naka',
    }
    const changes: [event: ChatStateEvent, changed: (keyof ChatState)[]][] = [
      [{ type: 'ClientInitialized', totalUnreadCount: 4 }, ['unreadCount']],
      [{ type: 'ChatPageMounted' }, ['chatPageMounted', 'chatWidgetVisible']],
      [{ type: 'ChatPageUnmounted' }, []],
      [{ type: 'ChatWidgetOpenClicked' }, ['chatWidgetOpen']],
      [{ type: 'ChatWidgetCloseClicked' }, []],
      [{ type: 'ChannelSelected', channelId: 'messaging:tea' }, ['activeChannelId']],
      [
        { type: 'BilateralOrganizationalChatSelected', channelId: 'messaging:tea' },
        ['activeChannelId', 'chatChannelOpen', 'chatWidgetOpen'],
      ],
      [{ type: 'UnreadMessageNotification', unreadCount: 4, unreadChannels: 3 }, ['unreadChannels', 'unreadCount']],
      [{ type: 'ChatChannelOpenClicked' }, ['chatChannelOpen']],
      [{ type: 'ChatChannelCloseClicked' }, []],
      [{ type: 'ChannelListFetched' }, ['userChannelsLoading']],
      [{ type: 'ChannelListUpdated', channels: [] }, ['userChannels']],
      [{ type: 'NewChatModalOpenClicked' }, ['newChatModalOpen', 'newChatView']],
      [{ type: 'NewChatModalCloseClicked' }, ['newChatView', 'searchQuery', 'selectedUsers']],
      [{ type: 'NewChatViewSwitched', view: 'groupSettings' }, ['newChatView']],
      [{ type: 'UserToggled', user: dana }, ['selectedUsers']],
      [{ type: 'SelectionRestored', users: [dana] }, ['selectedUsers']],
      [{ type: 'SearchSubmitted', query: 'hof' }, ['searchQuery']],
      [{ type: 'StartChatClicked' }, ['beforeStart']],
    ]
    for (const [event, changed] of changes) {
      const next = chatState(busy, event)
      const keys = Object.keys(busy) as (keyof ChatState)[]
      expect(keys.filter((key) => next[key] !== busy[key]).toSorted(), event.type).toEqual(changed)
    }
  })

  it('[WID-35] a click to open on the chat page is ignored, not kept for later', () => {
    const state = after({ type: 'ChatPageMounted' }, { type: 'ChatWidgetOpenClicked' }, { type: 'ChatPageUnmounted' })
    expect(state).toMatchObject({ chatWidgetVisible: true, chatWidgetOpen: false })
  })

  it('[WID-32] a failed start that began with an open widget does not open it on the chat page', () => {
    const state = after(
      { type: 'ChatWidgetOpenClicked' },
      { type: 'StartChatClicked' },
      { type: 'ChatPageMounted' },
      { type: 'StartChatFailed' },
    )
    expect(state.chatWidgetOpen).toBe(false)
  })
})

describe('choosing people', () => {
  it('[NEW-9] selecting a person again deselects them', () => {
    const chosen = after({ type: 'UserToggled', user: bo }, { type: 'UserToggled', user: dana })
    expect(chosen.selectedUsers).toEqual([bo, dana])
    expect(chatState(chosen, { type: 'UserToggled', user: { ...bo } }).selectedUsers).toEqual([dana])
  })

  it('[NEW-35] a person in two organizations can be selected as either', () => {
    const elsewhere = { ...bo, orgId: 'northwind' }
    const chosen = after({ type: 'UserToggled', user: bo }, { type: 'UserToggled', user: elsewhere })
    expect(chosen.selectedUsers).toEqual([bo, elsewhere])
  })

  it('[NEW-10] returning to one person clears the selection; going on to the settings keeps it', () => {
    const chosen = after({ type: 'UserToggled', user: bo })
    expect(chatState(chosen, { type: 'NewChatViewSwitched', view: 'groupSettings' }).selectedUsers).toEqual([bo])
    expect(chatState(chosen, { type: 'NewChatViewSwitched', view: 'direct' }).selectedUsers).toEqual([])
  })

  it('[NEW-11] a submitted search is kept', () => {
    expect(after({ type: 'SearchSubmitted', query: 'naka' }).searchQuery).toBe('naka')
  })
})

describe('starting a chat', () => {
  const group = after(
    { type: 'NewChatModalOpenClicked' },
    { type: 'NewChatViewSwitched', view: 'group' },
    { type: 'UserToggled', user: bo },
    { type: 'UserToggled', user: dana },
    { type: 'NewChatViewSwitched', view: 'groupSettings' },
  )

  it('[NEW-12] [NEW-13] [NEW-44] a group closes the modal, clears the selection and opens on its channel', () => {
    const state = after(
      group,
      { type: 'StartChatClicked' },
      { type: 'ChatStarted', kind: 'group', channelId: 'messaging:new' },
    )
    expect(state).toMatchObject({
      newChatModalOpen: false,
      selectedUsers: [],
      activeChannelId: 'messaging:new',
      chatWidgetOpen: true,
      chatChannelOpen: true,
    })
  })

  it('[NEW-14] a failure restores the state from before the attempt, whatever was pressed meanwhile', () => {
    const begun = after(group, { type: 'ChatWidgetOpenClicked' })
    const state = after(
      begun,
      { type: 'StartChatClicked' },
      { type: 'NewChatModalCloseClicked' },
      { type: 'ChannelSelected', channelId: 'messaging:coffee' },
      { type: 'ChatWidgetCloseClicked' },
      { type: 'StartChatFailed' },
    )
    expect(state).toEqual(begun)
  })

  it('[NEW-14] unread counts that changed meanwhile stay', () => {
    const state = after(
      group,
      { type: 'StartChatClicked' },
      { type: 'UnreadMessageNotification', unreadCount: 9, unreadChannels: 1 },
      { type: 'StartChatFailed' },
    )
    expect(state).toEqual({ ...group, unreadCount: 9, unreadChannels: 1 })
  })
})

describe('the unread toast', () => {
  const unread = after({ type: 'ClientInitialized', totalUnreadCount: 3, unreadChannels: 2 })

  it('shows both counts while chat is not on screen', () => {
    expect(unreadToast(unread)).toEqual({ messages: 3, channels: 2 })
  })

  it('[TOA-3] is hidden while the widget is open', () => {
    expect(unreadToast(chatState(unread, { type: 'ChatWidgetOpenClicked' }))).toBeUndefined()
  })

  it('[TOA-4] is hidden on the chat page', () => {
    expect(unreadToast(chatState(unread, { type: 'ChatPageMounted' }))).toBeUndefined()
  })

  it('[TOA-6] closes at 0 unread, and not before', () => {
    const left = chatState(unread, { type: 'UnreadMessageNotification', unreadCount: 1, unreadChannels: 1 })
    expect(unreadToast(left)).toEqual({ messages: 1, channels: 1 })
    const read = chatState(left, { type: 'UnreadMessageNotification', unreadCount: 0, unreadChannels: 0 })
    expect(unreadToast(read)).toBeUndefined()
  })
})
