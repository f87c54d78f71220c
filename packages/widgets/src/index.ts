/**
 * The React kit: put `<Chat client={client}>` around everything and
 * `@parley/widgets/styles.css` on the page.
 */
export type { AnnouncedEvent, Announcements } from './announcer/announcements.ts'
export { useAnnounce } from './announcer/use-announce.ts'
export { AttachmentList, type AttachmentListProps } from './attachments/AttachmentList.tsx'
export { Avatar, type AvatarProps } from './avatar/Avatar.tsx'
export { ChannelHeader, type ChannelHeaderProps } from './channel-header/ChannelHeader.tsx'
export { ChannelList, type ChannelListProps } from './channel-list/ChannelList.tsx'
export type { ChannelListing, ChannelListQuery } from './channel-list/channel-listing.ts'
export { useChannelList } from './channel-list/use-channel-list.ts'
export { ChannelPane, type ChannelPaneProps } from './channel-pane/ChannelPane.tsx'
export { type OpenedChannel, useChannel } from './channel-pane/use-channel.ts'
export type { MessageTarget } from './channel-pane/use-target.ts'
export { Chat, type ChatProps } from './chat/Chat.tsx'
export { channelName, partnerOf } from './chat/channel-facts.ts'
export type { MessageHref } from './chat/chat-context.ts'
export { useChannelPart, useChannelState, useMessages } from './chat/use-channel-state.ts'
export { useClient } from './chat/use-client.ts'
export { useUnread } from './chat/use-unread.ts'
export { Composer, type ComposerProps } from './composer/Composer.tsx'
export { useComposer } from './composer/use-composer.ts'
export { ConnectionBanner } from './connection/ConnectionBanner.tsx'
export { useConnection } from './connection/use-connection.ts'
export { chooseLanguage, isLanguage, type Language, languages } from './i18n/languages.ts'
export { CatalogueLoader, type CatalogueSources, type ReadCatalogue } from './i18n/load-catalogue.ts'
export { type TextKey, type Translate, type Translation, useTranslate, useTranslation } from './i18n/translate.ts'
export { MessageList, type MessageListProps } from './message-list/MessageList.tsx'
export { finishReading } from './message-list/use-reading.ts'
export { Message, type MessageProps } from './messages/Message.tsx'
export { MessageText, type MessageTextProps } from './messages/MessageText.tsx'
export { type GroupPlace, groupPlace, messagePartIds } from './messages/message-parts.ts'
export type { Notice, NoticeKind, NoticeOptions, Notices } from './notices/notices.ts'
export { useNotices } from './notices/use-notices.ts'
export { PollButton } from './polls/PollButton.tsx'
export { PreferencesButton } from './preferences/PreferencesButton.tsx'
export { useReceipt } from './reads/use-receipt.ts'
export type { FoundMessage } from './search/MessageHit.tsx'
export type { SearchPlace } from './search/search-place.ts'
export { type Theme, themeClassOf } from './theme/theme.ts'
export {
  ThreadInbox,
  ThreadInboxButton,
  type ThreadInboxButtonProps,
  type ThreadInboxProps,
} from './threads/ThreadInbox.tsx'
export { TypingIndicator, type TypingIndicatorProps } from './typing/TypingIndicator.tsx'
export { useTypists } from './typing/use-typists.ts'
