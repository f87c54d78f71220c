import { type ClientActionFunctionArgs, data } from 'react-router'
import { catalogueOf, type MessageKey } from '../i18n/catalogues.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import { wrongOriginIn } from '../session/wrong-origin.ts'
import { noticeError } from './notices.tsx'

const FAILED: MessageKey = 'error.call'

/**
 * Submits a form of a page inside the shell. Without a readable response it shows a notice, and the page and its input
 * stay as they are [APP-31].
 */
export function sendForm(args: ClientActionFunctionArgs) {
  return send(args, () => {
    noticeError(catalogueOf(chooseLanguage(document.documentElement.lang, null))!.t(FAILED))
    return null
  })
}

/** Submits a form of a page without notices: the page shows the error itself. */
export function sendEntryForm(args: ClientActionFunctionArgs) {
  return send(args, () => ({ form: FAILED }))
}

async function send<Answer>({ serverAction }: ClientActionFunctionArgs, failed: () => Answer) {
  try {
    return await serverAction()
  } catch (error) {
    // A redirect, or the error of a wrong address, where a retry would fail, too.
    if (error instanceof Response || wrongOriginIn(error)) throw error
    console.error(error)
    // With this status the router does not reload the page's data, which would fail as well.
    return data(failed(), { status: 503 })
  }
}
