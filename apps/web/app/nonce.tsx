import { createContext, useContext } from 'react'

/** Lets the page's own inline scripts pass the content security policy. Only known on the server. */
const NonceContext = createContext<string | undefined>(undefined)

export const NonceProvider = NonceContext.Provider

export function useNonce(): string | undefined {
  return useContext(NonceContext)
}
