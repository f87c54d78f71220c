import type { CastName } from './people.ts'
import type { PictureName } from './pictures.ts'

/** One message of a demo conversation. */
export interface Line {
  from: CastName
  text: string
  /** Minutes since the line before; 1 when absent. */
  after?: number
  /** Reactions of other users, by type. */
  reactions?: Partial<Record<'like' | 'love' | 'haha' | 'wow' | 'sad', CastName[]>>
  /** The number of the earlier line that this one quotes, from 0. */
  quotes?: number
  /** The number of the earlier line in whose thread this one is. */
  repliesTo?: number
  pictures?: PictureName[]
  file?: { name: string; text: string }
  poll?: { name: string; options: { text: string; votes: CastName[] }[] }
  isPinned?: true
}

export interface Conversation {
  id: string
  /** Only groups have a name. */
  name?: string
  members: CastName[]
  /** The age of the last line when the demo starts. */
  endedMinutesAgo: number
  /** How many of the last lines each of these people has not read. */
  unread?: Partial<Record<CastName, number>>
  lines: Line[]
}

const DAY = 24 * 60

/** The conversations of the demo so far. */
export function demoConversations(): Conversation[] {
  return [...directChats, ...groups, harbour()]
}

const directChats: Conversation[] = [
  {
    id: 'ada-bo',
    members: ['ada', 'bo'],
    endedMinutesAgo: 4,
    unread: { ada: 2 },
    lines: [
      { from: 'ada', text: 'Morning Bo! Did the gripper samples arrive?' },
      { from: 'bo', text: 'They did, all twelve. The packaging survived customs this time 😄', after: 6 },
      { from: 'ada', text: 'Finally! How do they feel?', reactions: { haha: ['bo'] } },
      { from: 'bo', text: 'Light. Almost too light: two of them lift **below** the 400 g we agreed on.', after: 3 },
      { from: 'ada', text: 'Hm. Which serial numbers? I can ask the plant to check the springs.' },
      { from: 'bo', text: '`KG-0117` and `KG-0121`. I will put them aside for you.', after: 2 },
      { from: 'ada', text: 'Thanks. I opened a ticket with the plant, they answer within a day.', after: 9 },
      { from: 'ada', text: 'Different thing: are you coming to Hamburg in December?', after: DAY },
      { from: 'bo', text: 'Yes! Mei and I land on the 8th, late. Dinner on the 9th?', after: 14 },
      { from: 'ada', text: 'Dinner on the 9th it is. Dana knows a place by the river.', reactions: { love: ['bo'] } },
      { from: 'bo', text: 'The plant wrote: wrong spring batch, replacements go out tomorrow.', after: 3 * 60 },
      { from: 'bo', text: 'So we are still on time for the trade fair. Well done 🎉', after: 1 },
    ],
  },
  {
    id: 'ada-dana',
    members: ['ada', 'dana'],
    endedMinutesAgo: 52,
    lines: [
      { from: 'dana', text: 'Hallo Ada, der Container aus Göteborg steht seit heute früh in Waltershof.' },
      { from: 'ada', text: 'Super, danke! Braucht ihr noch Papiere von uns?', after: 11 },
      { from: 'dana', text: 'Nur die Packliste in der neuen Fassung. Auf der alten fehlen zwei Paletten.', after: 4 },
      { from: 'ada', text: 'Kommt in zehn Minuten.' },
      {
        from: 'ada',
        text: 'Ist raus. Priya steht in Kopie.',
        after: 8,
        file: {
          name: 'Packliste GOT-4711 v2.csv',
          text: 'Palette;Inhalt;Stück;kg\n1;Greifer KG;24;310\n2;Greifer KG;24;310\n3;Netzteile;80;264\n4;Ersatzfedern;400;96\n',
        },
      },
      {
        from: 'dana',
        text: 'Angekommen. Dann rollt er morgen um 6:30 Uhr los.',
        after: 15,
        reactions: { like: ['ada'] },
      },
      {
        from: 'dana',
        text: 'Übrigens: Tisch für fünf am 9. Dezember ist reserviert, direkt an der Elbe.',
        after: 2 * 60,
        pictures: ['by-the-elbe.jpg'],
      },
      { from: 'ada', text: 'Du bist die Beste. Bo freut sich schon.', after: 3 },
    ],
  },
  {
    id: 'ada-lucia',
    members: ['ada', 'lucia'],
    endedMinutesAgo: 3 * 60,
    unread: { ada: 1 },
    lines: [
      { from: 'lucia', text: 'Hola Ada, ¿te viene bien que revisemos el contrato el jueves?' },
      { from: 'ada', text: 'Hola Lucía, sí: a las diez, hora de Madrid.', after: 20 },
      { from: 'lucia', text: 'Perfecto. Te mando la versión con los cambios de Mateo esta tarde.', after: 2 },
      { from: 'ada', text: 'Gracias. ¿Sigue en pie lo de los 18 meses?', after: 5 },
      {
        from: 'lucia',
        text: 'Sí, 18 meses con opción a 24. El precio no se toca.',
        after: 7,
        reactions: { like: ['ada'] },
      },
      { from: 'lucia', text: 'Ya tienes el borrador en el correo. Mira sobre todo el punto 4.', after: 4 * 60 },
    ],
  },
  {
    id: 'ada-chloe',
    members: ['ada', 'chloe'],
    endedMinutesAgo: DAY + 30,
    lines: [
      {
        from: 'chloe',
        text: 'Bonjour Ada ! Les photos du parc éolien sont prêtes.',
        pictures: ['wind-farm-morning.jpg', 'wind-farm-boat.jpg', 'turbine-from-below.jpg'],
      },
      { from: 'ada', text: 'Oh, magnifique ! Je peux les utiliser pour le rapport annuel ?', after: 12 },
      { from: 'chloe', text: 'Bien sûr, avec la mention « Sol y Viento ».', after: 3 },
      { from: 'ada', text: 'Promis. Merci, tu me sauves la mise 🙏', reactions: { love: ['chloe'] } },
    ],
  },
  {
    id: 'ada-mei',
    members: ['ada', 'mei'],
    endedMinutesAgo: 6 * 60,
    lines: [
      { from: 'ada', text: 'Hi Mei, is the demo cell still planned for hall 4?' },
      { from: 'mei', text: 'Hello Ada! Hall 5 now, there is more power there.', after: 25 },
      { from: 'mei', text: 'ホール5のほうが電源に余裕があります。', after: 1 },
      { from: 'ada', text: 'ありがとうございます! I learned that one 😊', after: 2, reactions: { haha: ['mei'] } },
      { from: 'mei', text: 'とても上手です! I will send the floor plan tonight.', after: 4 },
    ],
  },
  {
    id: 'ada-samir',
    members: ['ada', 'samir'],
    endedMinutesAgo: 3 * DAY,
    lines: [
      {
        from: 'samir',
        text: 'Quick one: the driver asks for a loading ramp on Tuesday. Do you have one at the south gate?',
      },
      { from: 'ada', text: 'South gate has none. Please use gate 3, the ramp there takes 20 t.', after: 7 },
      { from: 'samir', text: 'Gate 3, noted. Thank you!', after: 2, reactions: { like: ['ada'] } },
    ],
  },
  {
    id: 'bo-priya',
    members: ['bo', 'priya'],
    endedMinutesAgo: 35,
    unread: { bo: 1 },
    lines: [
      { from: 'priya', text: 'Bo, I have the numbers for the second quarter. Want the short version?' },
      { from: 'bo', text: 'Always the short version.', after: 4, reactions: { haha: ['priya'] } },
      {
        from: 'priya',
        text: '1. Volume **+14 %**\n2. Returns down to 0.8 %\n3. Freight is the only line above plan',
        after: 2,
      },
      { from: 'bo', text: 'That is better than I feared. Freight because of the rerouting?', after: 6 },
      { from: 'priya', text: 'Exactly. It should be back to normal by March.', after: 1 },
      { from: 'priya', text: 'I will put it all on one slide for Thursday.', after: 30 },
    ],
  },
  {
    id: 'bo-dana',
    members: ['bo', 'dana'],
    endedMinutesAgo: 2 * DAY,
    lines: [
      { from: 'bo', text: 'Hi Dana, thank you for organising the dinner. Is anything vegetarian on the menu?' },
      { from: 'dana', text: 'Of course, half of it. I told them about Mei’s nut allergy as well.', after: 18 },
      { from: 'bo', text: 'You think of everything.', after: 2, reactions: { like: ['dana'] } },
    ],
  },
  {
    id: 'bo-lucia',
    members: ['bo', 'lucia'],
    endedMinutesAgo: 5 * 60,
    lines: [
      { from: 'lucia', text: 'Bo, could your maintenance robot climb a 90 m tower? Asking for a friend 😉' },
      { from: 'bo', text: 'Climb, yes. In wind above 12 m/s, no.', after: 9 },
      {
        from: 'lucia',
        text: 'Our friend lives where it is windy for eight months a year.',
        after: 3,
        reactions: { haha: ['bo'] },
      },
      {
        from: 'bo',
        text: 'Then our friend needs the heavier version. Ready in summer. Shall I save you a slot?',
        after: 12,
      },
      { from: 'lucia', text: 'Please do!', after: 1 },
    ],
  },
  {
    id: 'mei-ewa',
    members: ['mei', 'ewa'],
    endedMinutesAgo: DAY,
    lines: [
      { from: 'ewa', text: 'Hello Mei, your invoice 2231 has the old VAT number on it.' },
      { from: 'mei', text: 'Oh no, sorry! A corrected one is on its way.', after: 16 },
      { from: 'ewa', text: 'Got it, thank you. Paid on Friday.', after: 50, reactions: { like: ['mei'] } },
    ],
  },
  {
    id: 'haruto-tom',
    members: ['haruto', 'tom'],
    endedMinutesAgo: 2 * DAY + 90,
    lines: [
      { from: 'haruto', text: 'トムさん、ファームウェア 2.4 を公開しました。' },
      { from: 'tom', text: 'Thank you, Haruto-san! Does it fix the drift on axis 3?', after: 40 },
      { from: 'haruto', text: 'はい。軸3のずれは 0.02 mm 以下になりました。', after: 5 },
      { from: 'tom', text: 'Wonderful, we update the line tonight.', after: 2, reactions: { like: ['haruto'] } },
    ],
  },
  {
    id: 'dana-mateo',
    members: ['dana', 'mateo'],
    endedMinutesAgo: 4 * DAY,
    unread: { dana: 1 },
    lines: [
      { from: 'mateo', text: 'Hi Dana, can you move rotor blades? 62 m each, three of them.' },
      { from: 'dana', text: 'We can, at night and with an escort. Which port?', after: 22 },
      { from: 'mateo', text: 'Bilbao to Bremerhaven, in February.', after: 5 },
      { from: 'dana', text: 'February is tight because of the locks. I will check with Jonas and call you.', after: 3 },
      { from: 'mateo', text: 'Great. The drawings are in your mailbox.', after: 40 },
    ],
  },
  {
    id: 'elif-rui',
    members: ['elif', 'rui'],
    endedMinutesAgo: 7 * 60,
    lines: [
      { from: 'elif', text: 'Olá Rui, the permit for the bridge came through. Merhaba bridge!' },
      { from: 'rui', text: 'Boa! Podemos avançar na segunda-feira, então.', after: 8 },
      { from: 'elif', text: 'Segunda-feira it is. Çok teşekkürler!', after: 2, reactions: { love: ['rui'] } },
    ],
  },
]

const groups: Conversation[] = [
  {
    id: 'fair',
    name: 'Trade fair Hamburg 🚢',
    members: ['ada', 'bo', 'dana', 'mei', 'lucia', 'jonas'],
    endedMinutesAgo: 16,
    unread: { ada: 3, bo: 1 },
    lines: [
      { from: 'ada', text: 'Welcome everybody! Everything about the fair in here, please.' },
      {
        from: 'dana',
        text: 'Booth is confirmed: hall A4, number 118. Corner, two open sides.',
        after: 5,
        reactions: { like: ['ada', 'bo', 'lucia'] },
      },
      { from: 'bo', text: 'Robot cell: 2.2 × 3 m, 16 A, no water.', after: 8 },
      {
        from: 'mei',
        text: 'And a little fence, please. The arm is friendly but fast.',
        after: 1,
        reactions: { haha: ['ada', 'dana'] },
      },
      {
        from: 'lucia',
        text: 'We bring the turbine model. 1:40, so only 3 m high 😅',
        after: 20,
        reactions: { wow: ['bo', 'mei', 'jonas'] },
      },
      { from: 'dana', text: 'Ceiling is 5.5 m there, so that works.', after: 4, quotes: 4 },
      {
        from: 'jonas',
        text: 'Trucks: unloading on the 7th between 7 and 11 o’clock. Who needs a forklift?',
        after: DAY,
      },
      { from: 'bo', text: 'We do, one crate of 340 kg.', after: 12 },
      { from: 'lucia', text: 'Nosotros también, por favor. Dos cajas largas.', after: 3 },
      { from: 'jonas', text: 'Booked two, with drivers.', after: 9, reactions: { like: ['ada', 'lucia', 'bo'] } },
      {
        from: 'ada',
        text: 'Programme for the 9th:\n- 10:00 opening\n- 11:30 demo by Kiku\n- 14:00 panel with Lucía\n- 19:00 dinner',
        after: 3 * 60,
        isPinned: true,
      },
      { from: 'mei', text: 'Demo at 11:30 is good for us.', after: 2 },
      {
        from: 'dana',
        text: '',
        after: 4,
        poll: {
          name: 'What would you like for dinner?',
          options: [
            { text: 'Fish, by the river', votes: ['ada', 'lucia', 'jonas'] },
            { text: 'Something vegetarian', votes: ['bo', 'mei'] },
            { text: 'Pizza, standing up', votes: [] },
          ],
        },
      },
      {
        from: 'lucia',
        text: 'Panel: three questions, no slides. I like it already.',
        after: 6,
        reactions: { love: ['ada'] },
      },
      { from: 'dana', text: 'Badges are in your hotel, under your organization’s name.', after: DAY },
      { from: 'bo', text: 'See you all there!', after: 11 },
    ],
  },
  {
    id: 'supply',
    name: 'Supply round table',
    members: ['ada', 'priya', 'bo', 'haruto', 'dana', 'samir'],
    endedMinutesAgo: 2 * 60,
    lines: [
      { from: 'priya', text: 'Forecast for January is in the shared folder. Please check your line by Friday.' },
      { from: 'haruto', text: '確認しました。1月は通常より15%多めでお願いします。', after: 30 },
      { from: 'priya', text: '15 % more, got it. Haruto, is that on top of the spare parts?', after: 5 },
      {
        from: 'haruto',
        text: 'Yes, spare parts are extra. Sorry, I should have written it.',
        after: 4,
        reactions: { like: ['priya'] },
      },
      { from: 'samir', text: 'For 15 % more we need one additional truck on Wednesdays.', after: 45 },
      { from: 'priya', text: 'Until when?', after: 3, repliesTo: 4 },
      { from: 'samir', text: 'Until the end of March, then we are through the peak.', after: 5, repliesTo: 4 },
      { from: 'dana', text: 'Approved from our side.', after: 2, reactions: { like: ['samir', 'ada'] } },
      {
        from: 'bo',
        text: 'This is the calmest round table we ever had.',
        after: 60,
        reactions: { haha: ['ada', 'priya', 'dana'] },
      },
      { from: 'ada', text: 'Do not say it out loud!', after: 1, quotes: 8 },
    ],
  },
  {
    id: 'wind',
    name: 'Windpark Nordsee',
    members: ['dana', 'jonas', 'lucia', 'mateo', 'rui', 'ada'],
    endedMinutesAgo: DAY - 120,
    lines: [
      { from: 'mateo', text: 'Site visit is moved to the 14th, the sea was too rough today.' },
      { from: 'jonas', text: 'Verstanden. Das Boot ist für den 14. umgebucht.', after: 13 },
      { from: 'rui', text: 'Levo o drone e duas baterias extra.', after: 20, reactions: { like: ['mateo'] } },
      {
        from: 'lucia',
        text: 'Life jackets for everybody, please, also for those who say they can swim.',
        after: 4,
        reactions: { haha: ['jonas', 'dana'] },
      },
      { from: 'dana', text: 'Elf Westen liegen bereit.', after: 7 },
      {
        from: 'ada',
        text: 'I join by video. Please point the drone at something nice once.',
        after: 40,
        reactions: { love: ['rui'] },
      },
      { from: 'rui', text: 'Aqui está, do ensaio de ontem.', after: 25, pictures: ['wind-farm-boat.jpg'] },
    ],
  },
  {
    id: 'nihongo',
    name: '日本語の練習 ☕',
    members: ['mei', 'haruto', 'ada', 'dana', 'chloe'],
    endedMinutesAgo: 9 * 60,
    lines: [
      { from: 'mei', text: '今週の言葉は「木漏れ日」です。' },
      { from: 'ada', text: 'Komorebi? What does it mean?', after: 15 },
      { from: 'haruto', text: '木の葉の間からもれる日の光のことです。', after: 6 },
      {
        from: 'mei',
        text: 'The sunlight that comes through the leaves of trees.',
        after: 1,
        reactions: { love: ['ada', 'chloe', 'dana'] },
      },
      { from: 'chloe', text: 'En français il faut toute une phrase. C’est beau !', after: 9 },
      { from: 'dana', text: 'Auf Deutsch auch. Danke, Mei!', after: 3 },
    ],
  },
  {
    id: 'quality',
    name: 'Quality circle',
    members: ['bo', 'jisoo', 'tom', 'ewa', 'elif'],
    endedMinutesAgo: 5 * DAY,
    lines: [
      { from: 'jisoo', text: '이번 달 불량률은 0.4%입니다. Defect rate this month: 0.4 %.' },
      { from: 'tom', text: 'Lowest ever?', after: 6 },
      { from: 'jisoo', text: 'Lowest ever!', after: 1, reactions: { wow: ['tom', 'ewa'], love: ['bo'] } },
      {
        from: 'elif',
        text: 'And no damage in transport for six weeks in a row.',
        after: 12,
        reactions: { like: ['jisoo', 'bo'] },
      },
      {
        from: 'ewa',
        text: 'Cake in Gdańsk for everybody who passes by.',
        after: 30,
        reactions: { love: ['tom', 'elif'] },
      },
    ],
  },
]

const HARBOUR_MESSAGES = 240

/** A long-running group with a few hundred messages, for scrolling: the daily reports of a busy harbour. */
function harbour(): Conversation {
  const speakers = ['jonas', 'samir', 'ada', 'elif', 'priya', 'bo', 'dana'] as const
  const lines = Array.from({ length: HARBOUR_MESSAGES }, (_, number): Line => {
    const day = Math.floor(number / reports.length)
    const report = reports[number % reports.length]!
    // Each day another speaker reports in the same way about other ships and numbers.
    const from = speakers[(number * 3 + day * 2) % speakers.length]!
    const others = speakers.filter((other) => other !== from)
    return {
      from,
      text: report(
        ships[(number + day * 5) % ships.length]!,
        2 + ((number * 7 + day * 11) % 23),
        1 + ((number + day) % 9),
      ),
      after: number % reports.length === 0 ? 13 * 60 : 4 + ((number * 13) % 37),
      reactions: number % 9 === 4 ? { like: [others[number % others.length]!] } : undefined,
    }
  })
  return {
    id: 'harbour',
    name: 'Harbour log',
    members: ['ada', 'bo', 'dana', 'jonas', 'samir', 'elif', 'priya'],
    endedMinutesAgo: 75,
    unread: { bo: 4 },
    lines,
  }
}

const ships = [
  'Freyja',
  'Maris Stella',
  'Kaihō Maru',
  'Nordlicht',
  'Santa Inés',
  'Baltic Heron',
  'Elbe Pearl',
  'Aurora',
] as const

const reports: ((ship: string, boxes: number, berth: number) => string)[] = [
  (ship, _, berth) => `Good morning! ${ship} is alongside at berth ${berth}.`,
  (ship, boxes) => `${boxes} boxes to come off ${ship}, two of them reefers.`,
  () => 'Reefers first, please. It gets warm today.',
  (_, boxes) => `Crane 2 is back. We do ${boxes} moves an hour.`,
  (_, __, berth) => `Gate ${berth} has a queue of about half an hour.`,
  () => 'Customs are done with the first lot, no remarks.',
  (ship) => `Who has the papers for ${ship}? The agent is asking.`,
  () => 'Sent them five minutes ago.',
  () => 'Found them, thank you!',
  (_, boxes) => `Lunch. ${boxes} down, the rest this afternoon.`,
  (_, boxes) => `Wind is up to ${boxes + 9} knots, we slow down a little.`,
  (ship) => `${ship} sails on the evening tide if we keep this pace.`,
  (_, boxes, berth) => `${boxes} empties are waiting at stack ${berth}. Can somebody take them?`,
  () => 'On it. One truck is enough.',
  (_, __, berth) => `Small dent in a door at berth ${berth}. Photos are in the folder, nothing inside was hurt.`,
  (ship, boxes) => `${ship} finished, ${boxes} minutes early. See you tomorrow!`,
]
