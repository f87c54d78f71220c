import type { ChatIdentity } from '../chat/chat-service.server.ts'
import type { Role } from '../organizations/organization-store.server.ts'
import { membershipsOf } from '../organizations/organization-store.server.ts'
import type { Person } from '../people/person.ts'
import type { Product } from '../product.server.ts'

/** What every page knows about the signed-in user [APP-4, APP-5]. */
export interface SessionData {
  user: Person
  organizations: { id: string; displayName: string; role: Role }[]
  chatAccess: boolean
  /** Absent without chat access and while chat is not configured. */
  chatUser?: ChatIdentity
  /** The chat server's address for browsers. */
  chatServer?: { url: string; key: string }
}

/** Reads the session data. The chat token is issued here, for this one response [APP-32]. */
export async function sessionData({ database, chat }: Product, person: Person): Promise<SessionData> {
  const data = {
    user: person,
    organizations: await membershipsOf(database, person.id),
    chatAccess: person.chatAccess,
  }
  if (!chat || !person.chatAccess) return data
  return { ...data, chatUser: chat.identityOf(person.id), chatServer: { url: chat.url, key: chat.key } }
}
