import type { Channel } from '@parley/client'
import { Suspense, useState } from 'react'
import { may } from '../chat/channel-facts.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useTranslate } from '../i18n/translate.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { PollIcon } from '../theme/icons.tsx'

const PollComposer = lazyPart(() => import('./PollComposer.tsx'))

export interface PollButtonProps extends RootProps<HTMLButtonElement> {
  channel: Channel
}

/** Opens the dialog for a new poll; absent without the capability to send polls [PERM-5]. */
export function PollButton({ channel, ...root }: PollButtonProps) {
  const t = useTranslate()
  const allowed = useChannelPart(channel, maySendPolls)
  const [open, setOpen] = useState(false)
  if (!allowed) return null
  return (
    <>
      <button
        type="button"
        {...rootProps(
          {
            className: 'chat-icon-button',
            'aria-label': t('poll.new'),
            title: t('poll.new'),
            'aria-haspopup': 'dialog',
            onClick: () => setOpen(true),
          },
          root,
        )}
      >
        <PollIcon />
      </button>
      {open && (
        <Suspense fallback={null}>
          <PollComposer channel={channel} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const maySendPolls = (state: ReturnType<Channel['snapshot']>) => may(state, 'send-poll')
