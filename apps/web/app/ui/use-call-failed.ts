import { useLocation, useNavigate } from 'react-router'
import { CallError } from '../http-client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { noticeError } from './notices.tsx'

/**
 * What a failed call of the product leads to: 401 to sign-in and back, anything else to one notice with the server's
 * own words [APP-31, TOA-7]. What the person had entered stays where it is.
 */
export function useCallFailed(): (error: unknown, otherwise?: string) => void {
  const t = useTranslate()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (error, otherwise = t('error.call')) => {
    if (error instanceof CallError && error.status === 401) {
      navigate(`/sign-in?back=${encodeURIComponent(pathname + search)}`)
      return
    }
    if (!(error instanceof CallError)) console.error(error)
    noticeError((error instanceof CallError && error.said) || otherwise)
  }
}
