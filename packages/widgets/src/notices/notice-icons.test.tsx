import { FakeClock } from '@parley/client/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ChatContext, type ChatScope } from '../chat/chat-context.ts'
import { TranslationContext } from '../i18n/translate.ts'
import { CheckIcon, InfoIcon, WarningIcon } from '../theme/icons.tsx'
import { NoticeRegion } from './NoticeRegion.tsx'
import { Notices } from './notices.ts'

it.each([
  ['info', InfoIcon],
  ['success', CheckIcon],
  ['warning', WarningIcon],
  ['error', WarningIcon],
] as const)('a notice of the kind %s has its icon', (kind, Icon) => {
  const notices = new Notices(new FakeClock())
  notices.show(kind, 'send.failed')
  const drawn = renderToStaticMarkup(
    <TranslationContext value={{ t: (key) => key, language: 'en', locale: 'en' }}>
      <ChatContext value={{} as ChatScope}>
        <NoticeRegion notices={notices} />
      </ChatContext>
    </TranslationContext>,
  )
  expect(drawn).toContain(`data-kind="${kind}">${renderToStaticMarkup(<Icon />)}`)
})
