import { type ClientActionFunctionArgs, data } from 'react-router'
import { catalogueOf, type MessageKey } from '../i18n/catalogues.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import { wrongOriginIn } from '../session/wrong-origin.ts'
import { noticeError } from './notices.tsx'

const FAILED: MessageKey = 'error.call'

/**
 * Sends a form of a page inside the shell. When no answer comes that could be read, one notice says so, and the page
 * and what was entered stay as they are [APP-31].
 */
export function sendForm(args: ClientActionFunctionArgs) {
  return send(args, () => {
    noticeError(catalogueOf(chooseLanguage(document.documentElement.lang, null))!.t(FAILED))
    return null
  })
}

/** Sends a form of a page that has no notices: it says so itself. */
export function sendEntryForm(args: ClientActionFunctionArgs) {
  return send(args, () => ({ form: FAILED }))
}

async function send<Answer>({ serverAction }: ClientActionFunctionArgs, failed: () => Answer) {
  try {
    return await serverAction()
  } catch (error) {
    // Somebody is led on, or learns that they are at a wrong address, where nothing can be sent again either.
    if (error instanceof Response || wrongOriginIn(error)) throw error
    console.error(error)
    // The status keeps the router from reading the page again, which would fail as well.
    return data(failed(), { status: 503 })
  }
}
