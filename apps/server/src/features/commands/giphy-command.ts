import type { Attachment } from '@parley/protocol/messages'
import type { Server } from '../../server.ts'
import { gifAttachment } from '../gifs/gifs.ts'
import type { CommandResult } from './run-command.ts'

const actions = [
  { name: 'image_action', text: 'Send', style: 'primary', type: 'button', value: 'send' },
  { name: 'image_action', text: 'Shuffle', style: 'default', type: 'button', value: 'shuffle' },
  { name: 'image_action', text: 'Cancel', style: 'default', type: 'button', value: 'cancel' },
]

/**
 * What the sender of `/giphy` sees and decides about [CMD-11].
 *
 * @param shown the preview there is already; another animation is wanted
 */
export async function giphyPreview({ gifs }: Server, words: string, shown?: Attachment): Promise<CommandResult> {
  if (!gifs) return { type: 'error', text: 'No gif service is set up on this server.', attachments: [] }
  const gif = await gifs.find(words, shown?.title_link)
  if (!gif) return { type: 'error', text: 'No gif was found. Try other words, or try again later.', attachments: [] }
  return { type: 'ephemeral', attachments: [{ ...gifAttachment(words, gif), actions } as Attachment] }
}
