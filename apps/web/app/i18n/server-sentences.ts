/** What only the server says: browsers do not fetch it. */
export const serverSentences = [
  'signIn.ended',
  'members.removed',
  'members.forbidden',
  'members.left',
  'members.ownersOnly',
  'members.ownAccess',
  'organization.last',
  'invite.exists',
  'invite.tooMany',
  'invite.revoked',
  'settings.saved',
  'settings.picture.saved',
  'settings.picture.removed',
  'settings.picture.tooLarge',
  'settings.picture.unreadable',
  'password.changed',
  'startChat.payload',
  'startChat.person',
  'startChat.twice',
  'startChat.self',
  'startChat.image',
  'startChat.tooOften',
  'addMembers.forbidden',
  'addMembers.failed',
] as const

export type ServerSentence = (typeof serverSentences)[number]
