import type { Channel } from '@parley/client'
import { Suspense } from 'react'
import { partnerOf } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useGroup } from '../chat/use-group.ts'
import { useTranslate } from '../i18n/translate.ts'
import { levelOf, useSetLevel } from './level.ts'
import { useChange } from './use-change.ts'
import { cooldownOf } from './wait-of.ts'

const AddMembersDialog = lazyPart(() => import('./AddMembersDialog.tsx'))
const ConfirmDialog = lazyPart(() => import('../dialog/ConfirmDialog.tsx'))
const LeaveDialog = lazyPart(() => import('../channel-list/LeaveDialog.tsx'))
const LevelDialog = lazyPart(() => import('./LevelDialog.tsx'))
const MuteDialog = lazyPart(() => import('./MuteDialog.tsx'))
const NameDialog = lazyPart(() => import('./NameDialog.tsx'))
const PictureDialog = lazyPart(() => import('./PictureDialog.tsx'))
const SaveDialog = lazyPart(() => import('./SaveDialog.tsx'))
const SlowModeDialog = lazyPart(() => import('./SlowModeDialog.tsx'))

/** The actions of the details that open a dialog. */
export type Asked = 'add' | 'level' | 'mute' | 'name' | 'picture' | 'save' | 'slow' | 'freeze' | 'leave' | 'delete'

export interface DetailsDialogProps {
  asked: Asked
  channel: Channel
  /** the title of the conversation */
  name: string
  onClose: () => void
}

/** The dialog of an action, each loaded when it is first opened; and the effect of its answer. */
export function DetailsDialog(props: DetailsDialogProps) {
  return (
    <Suspense fallback={null}>
      <Question {...props} />
    </Suspense>
  )
}

function Question({ asked, channel, name, onClose }: DetailsDialogProps) {
  const t = useTranslate()
  const { client, onLeave } = useChat()
  const state = useChannelState(channel)
  const isDirect = partnerOf(state, client.userID) !== undefined
  const change = useChange()
  const group = useGroup(channel)
  const setLevel = useSetLevel(channel)
  const shared = { channel, onClose }
  switch (asked) {
    case 'add':
      return <AddMembersDialog {...shared} />
    case 'picture':
      return <PictureDialog {...shared} name={name} />
    case 'save':
      return <SaveDialog {...shared} name={name} />
    case 'leave':
      return <LeaveDialog {...shared} />
    case 'mute':
      return (
        <MuteDialog
          onClose={onClose}
          onMute={(expiration) => change(channel.mute(expiration === undefined ? {} : { expiration }))}
        />
      )
    case 'name':
      return (
        <NameDialog
          name={state.data.name ?? ''}
          onClose={onClose}
          onName={(name) => change(group.change({ do: 'rename', name }))}
        />
      )
    case 'level':
      return <LevelDialog level={levelOf(state)} onClose={onClose} onLevel={(level) => change(setLevel(level))} />
    case 'slow':
      return (
        <SlowModeDialog
          seconds={cooldownOf(state)}
          onClose={onClose}
          onSeconds={(seconds) => change(channel.enableSlowMode(seconds))}
        />
      )
    case 'freeze':
      return (
        <ConfirmDialog
          title={t('details.freeze.title', { name })}
          text={t('details.freeze.text')}
          confirm={t('details.freeze.confirm')}
          onClose={onClose}
          onConfirm={() => change(channel.updatePartial({ set: { frozen: true } }))}
        />
      )
    case 'delete':
      return (
        <ConfirmDialog
          title={t(isDirect ? 'details.delete.title.direct' : 'details.delete.title', { name })}
          text={t('details.delete.text')}
          confirm={t('details.delete.confirm')}
          onClose={onClose}
          onConfirm={() => {
            onLeave?.(channel.cid)
            change(group.change({ do: 'delete' }))
          }}
        />
      )
    default:
      return asked satisfies never
  }
}
