import { chooseLanguage } from '@parley/widgets'
import { headers } from 'next/headers'
import { Messenger } from './messenger'

/** A server component: it chooses the language, and gives the browser the address and the key of the chat server. */
export default async function Page() {
  const accepted = (await headers()).get('accept-language') ?? undefined
  const { CHAT_URL = 'http://localhost:3100', CHAT_KEY = '' } = process.env
  return <Messenger url={CHAT_URL} apiKey={CHAT_KEY} language={chooseLanguage(undefined, accepted)} />
}
