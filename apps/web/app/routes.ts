import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** Every route of the product [APP-27]. */
export default [
  route('welcome', 'welcome/welcome-page.tsx'),
  route('sign-up', 'session/sign-up-page.tsx'),
  route('sign-in', 'session/sign-in-page.tsx'),
  route('sign-out', 'session/sign-out.ts'),
  route('session', 'session/session-data.ts'),
  route('invitations/:secret', 'invitations/invitation-page.tsx'),
  layout('shell/shell.tsx', [
    layout('shell/page.tsx', [
      index('start/start-page.tsx'),
      route('organizations', 'organizations/organizations-page.tsx'),
      route('organizations/:organizationId/members', 'members/members-page.tsx'),
      route('settings', 'settings/settings-page.tsx'),
      route('chat/:cid?', 'chat/chat-page.tsx'),
    ]),
  ]),
  route('settings/picture', 'settings/change-picture.ts'),
  route('settings/looks', 'settings/change-looks.ts'),
  route('settings/password', 'settings/change-password.ts'),
  route('settings/notifications', 'notifications/change-push.ts'),
  route('chat/modals/searchMembers', 'members/search-members.ts'),
  route('chat/api/channels', 'chat/channels.ts'),
  route('chat/api/startNewChat', 'chat/start-new-chat.ts'),
  route('chat/api/addMembers', 'chat/add-members.ts'),
  route('chat/api/changeGroup', 'chat/change-group.ts'),
  route('chat/api/events', 'chat/receive-webhook.ts'),
  route('avatars/:file', 'people/avatar.ts'),
  route('pictures/:file', 'people/picture.ts'),
  route('offline', 'shell/offline.ts'),
  route('*', 'shell/not-found.tsx'),
] satisfies RouteConfig
