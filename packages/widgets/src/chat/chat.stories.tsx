import { longWord } from '../workshop/far-too-much.ts'
import { InChat } from '../workshop/InChat.tsx'
import type { Stories } from '../workshop/stories.ts'

export const chat: Stories = {
  component: 'Chat',
  empty: (root) => <InChat root={root}>{() => null}</InChat>,
  typical: (root) => <InChat root={root}>{() => <p>What stands in the chat.</p>}</InChat>,
  tooMuch: (root) => <InChat root={root}>{() => <p style={{ overflowWrap: 'anywhere' }}>{longWord}</p>}</InChat>,
  error: 'What goes wrong is shown by the components inside.',
}
