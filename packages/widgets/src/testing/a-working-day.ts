import type { Conversation, FakeMessage, FakeUser } from './fake-server.ts'

export const ada: FakeUser = { id: 'ada', name: 'Ada Okafor', organization: 'Northwind', online: true }
export const bo: FakeUser = { id: 'bo', name: 'Bo Lindqvist', organization: 'Contoso', online: true }
export const cy: FakeUser = { id: 'cy', name: 'Cy Tanaka', organization: 'Northwind', online: false }
const yuki: FakeUser = { id: 'yuki', name: '山田 由紀', organization: 'Fabrikam', online: true }
const leila: FakeUser = { id: 'leila', name: 'ليلى حداد', organization: 'Contoso', online: false }
const max: FakeUser = {
  id: 'max',
  name: 'Maximiliane Freifrau von Hohenstein-Oberndorf',
  organization: 'Adatum',
  online: false,
  last_active: new Date(Date.now() - 3 * 3_600_000).toISOString(),
}

type Line = [minutesAgo: number, user: FakeUser, text: string, fields?: Record<string, unknown>]

/** Ada's conversations on a working day: every kind of conversation and message. */
export function aWorkingDay(): Conversation[] {
  return [
    { id: 'racks', name: 'Rack planning', members: [ada, bo, cy], messages: written('racks', racks), pinned: true },
    { id: 'bo', members: [ada, bo], messages: written('bo', withBo) },
    { id: 'yuki', members: [ada, yuki], messages: written('yuki', withYuki), unread: 2 },
    { id: 'leila', members: [ada, leila], messages: written('leila', withLeila), unread: 120 },
    { id: 'max', members: [ada, max], messages: written('max', [[200, max, 'Danke, das Protokoll ist angekommen.']]) },
    { id: 'three', members: [ada, cy, bo], messages: written('three', [[1500, cy, 'Shall we make this a group?']]) },
    {
      id: 'news',
      name: 'Company news',
      members: [ada, bo, cy, yuki, leila, max],
      messages: written('news', [[4400, max, 'The office is closed on Friday.']]),
      data: { frozen: true },
      capabilities: ['read-events'],
    },
    {
      id: 'slow',
      name: 'Town hall questions',
      members: [ada, bo, cy, yuki],
      messages: written('slow', [[9000, yuki, 'One question each, please.']]),
      data: { cooldown: 20 },
    },
    { id: 'empty', members: [ada, leila], messages: [] },
  ]
}

function written(channel: string, lines: Line[]): FakeMessage[] {
  return lines.map(([minutesAgo, user, text, fields], at) => ({
    id: `${channel}-${at}`,
    user,
    text,
    created_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    ...fields,
  }))
}

const racks: Line[] = [
  [1600, bo, 'Morning! Did anybody look at the rack diagrams yet?'],
  [1599, ada, 'Yes, two things looked odd to me.'],
  [
    1598,
    ada,
    'The power budget for **row C** assumes the old supplies, and the cooling numbers are from the summer.\n\nI would redo both before we sign anything.',
  ],
  [1590, cy, 'Agreed.'],
  [1589, cy, 'I can ask the vendor for the new sheet today, they usually answer before lunch.'],
  [1588, cy, '👍'],
  [300, bo, 'Cy Tanaka added Ada Okafor to the conversation', { type: 'system' }],
  [64, bo, 'Here is what I have so far: https://example.com/racks/row-c?view=front&floor=2'],
  [
    63,
    bo,
    'And the script:\n\n```python\nfor rack in rows["C"]:\n    print(rack.name, rack.watts)  # a comment that is long enough to scroll sideways in a bubble\n```',
  ],
  [60, ada, 'Looks good', { message_text_updated_at: new Date(Date.now() - 55 * 60_000).toISOString() }],
  [
    40,
    cy,
    '@Ada Okafor do we keep the ~~old~~ *spare* units in the same room? Last year that cost us half a day when the door lock failed.',
    { mentioned_users: [ada] },
  ],
  [
    39,
    ada,
    'Good point. Let us split them:\n\n- row A: two spares\n- row B: one spare\n- row C: none for now',
    { quoted_message_id: 'racks-10' },
  ],
  [30, bo, '', { type: 'deleted', deleted_at: new Date().toISOString() }],
  [12, bo, 'Works for me, thanks', { pinned: true, pinned_by: ada, pinned_at: new Date().toISOString() }],
  [4, ada, 'Lunch at noon?'],
  [3, ada, 'The usual place, or somewhere new?'],
]
const withBo: Line[] = [
  [90, bo, 'Can you send me the contract?'],
  [88, ada, 'Sure, one moment'],
  [87, ada, 'Sent!'],
]
const withYuki: Line[] = [
  [50, ada, 'Good morning, Yuki!'],
  [26, yuki, 'おはようございます。資料をお送りしました。ご確認をお願いいたします。'],
  [25, yuki, 'よろしくお願いします🙇'],
]
const withLeila: Line[] = [
  [150, ada, 'Did the shipment arrive?'],
  [140, leila, 'نعم، وصلت الشحنة صباح اليوم. شكراً جزيلاً! (order #4711)'],
]
