import { createContext } from 'react-router'
import type { ChatService } from './chat/chat-service.server.ts'
import type { Database } from './database.server.ts'
import type { PushSender } from './notifications/push-sender.server.ts'
import type { Auth } from './session/auth.server.ts'

/** What every page of the product can reach. Wired by hand in `src/product.ts`. */
export interface Product {
  auth: Auth
  database: Database
  /** Absent while chat is not configured [APP-15]. */
  chat?: ChatService
  /** Brings news to browsers in which the product is not open. */
  push: PushSender
  /** Who else may bring them, besides those that are known. */
  pushServices: readonly string[]
  /** Whether pages load pictures, sound and films from hosts that people write into messages. */
  foreignPictures: boolean
  publicUrl: string
  /** Whether a password lets somebody in nowhere but on their own machine, as those of the demo. */
  isClosedTo?: (personId: string, password: string) => boolean
  /** Signs the CSRF cookie. */
  secret: string
}

export const productContext = createContext<Product>()

/** The address the request came from, for the sign-in limit. */
export const clientAddressContext = createContext<string>()
