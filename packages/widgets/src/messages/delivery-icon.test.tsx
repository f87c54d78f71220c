import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ClockIcon, DeliveredIcon, SentIcon } from '../theme/icons.tsx'
import { DeliveryIcon } from './MessageMeta.tsx'

it.each([
  ['sending', ClockIcon],
  ['waiting', ClockIcon],
  ['delivered', SentIcon],
  ['read', DeliveredIcon],
] as const)('a message that is %s has its icon', (delivery, Icon) => {
  expect(renderToStaticMarkup(<DeliveryIcon delivery={delivery} />)).toBe(renderToStaticMarkup(<Icon />))
})
