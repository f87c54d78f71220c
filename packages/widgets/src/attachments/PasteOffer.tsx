import type { Channel, Composer } from '@parley/client'
import { type RefObject, useEffect } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useComposer } from '../composer/use-composer.ts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon } from '../theme/icons.tsx'
import { mayUpload } from './use-attach.ts'

/** Text, and files that came with it. */
export interface Pasted {
  words: string
  files: File[]
}

export interface PasteOfferProps {
  channel: Channel
  composer: Composer
  box: RefObject<HTMLTextAreaElement | null>
  attach: (files: File[]) => void
  pasted: Pasted
  onEnd: () => void
}

/** The pasted text also came as a picture, as from a table: the user may attach the picture instead. */
export default function PasteOffer({ channel, composer, box, attach, pasted, onEnd }: PasteOfferProps) {
  const t = useTranslate()
  const { text } = useComposer(channel)
  const announce = useAnnounce()
  useEffect(() => announce('notice', { text: t('uploads.pasteImage') }), [announce, t])
  const words = pasted.words.replaceAll('\r\n', '\n')
  if (!useChannelPart(channel, mayUpload) || !text.includes(words)) return null
  const leave = () => {
    box.current?.focus()
    onEnd()
  }
  const take = () => {
    composer.setText(text.replace(words, () => ''))
    attach(pasted.files)
    leave()
  }
  return (
    <span className="chat-composer-hint chat-paste-offer">
      <button type="button" className="chat-button" onClick={take}>
        {t('uploads.pasteImage')}
      </button>
      <IconButton label={t('uploads.notImage')} onClick={leave}>
        <CloseIcon />
      </IconButton>
    </span>
  )
}
