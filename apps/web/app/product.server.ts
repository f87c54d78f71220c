import { createContext } from 'react-router'
import type { ChatService } from './chat/chat-service.server.ts'
import type { Database } from './database.server.ts'
import type { PushSender } from './notifications/push-sender.server.ts'
import type { Auth } from './session/auth.server.ts'

/** The dependencies of every page. Wired by hand in `src/product.ts`. */
export interface Product {
  auth: Auth
  database: Database
  /** Absent while chat is not configured [APP-15]. */
  chat?: ChatService
  /** Sends notifications to browsers in which the product is not open. */
  push: PushSender
  /** Permitted push services besides the known ones. */
  pushServices: readonly string[]
  /** Whether pages load pictures, audio and video from hosts in users' messages. */
  foreignPictures: boolean
  publicUrl: string
  /** Whether a password only works on the user's own machine, like those of the demo. */
  isClosedTo?: (personId: string, password: string) => boolean
  /** Signs the CSRF cookie. */
  secret: string
}

export const productContext = createContext<Product>()

/** The client's address, for the sign-in limit. */
export const clientAddressContext = createContext<string>()
