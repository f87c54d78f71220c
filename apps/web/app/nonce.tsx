import { createContext, useContext } from 'react'

/**
 * Lets the page's own inline scripts pass the content security policy. Only the server knows it: browsers hide the
 * attribute from scripts, so there it is empty.
 */
const NonceContext = createContext<string | undefined>(typeof document === 'undefined' ? undefined : '')

export const NonceProvider = NonceContext.Provider

export function useNonce(): string | undefined {
  return useContext(NonceContext)
}
