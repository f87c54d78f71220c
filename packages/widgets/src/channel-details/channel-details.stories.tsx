import { InChat } from '../component-gallery/InChat.tsx'
import type { Stories } from '../component-gallery/stories.ts'
import SaveDialog from './SaveDialog.tsx'

export const saveDialog: Stories = {
  component: 'SaveDialog',
  room: 'pane',
  empty: 'A conversation without messages is saved at once.',
  typical: () => (
    <InChat before={(server) => server.hold()}>
      {(channel) => <SaveDialog channel={channel} name="Rack planning" onClose={() => {}} />}
    </InChat>
  ),
  tooMuch: 'It is one number, whatever the conversation.',
  error: () => (
    <InChat before={(server) => server.refusals.set('POST /query', { status: 500, code: -1 })}>
      {(channel) => <SaveDialog channel={channel} name="Rack planning" onClose={() => {}} />}
    </InChat>
  ),
}
