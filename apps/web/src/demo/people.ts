import type { Role } from '../../app/organizations/organization-store.server.ts'
import { nameKey } from '../../app/people/name-key.ts'
import { nameLists } from './names.ts'

/** The password of every demo sign-in. */
export const demoPassword = 'parley-demo'

export interface DemoOrganization {
  id: string
  name: string
  /** The domain of its members' e-mail addresses. */
  domain: string
  /** The name lists for its members. */
  names: (keyof typeof nameLists)[]
}

export const demoOrganizations: DemoOrganization[] = [
  {
    id: 'northwind',
    name: 'Northwind Trading',
    domain: 'northwind.example',
    names: ['english', 'nordic', 'indian', 'polish'],
  },
  { id: 'kiku', name: 'Kiku Robotics', domain: 'kiku.example', names: ['japanese', 'korean', 'english'] },
  {
    id: 'solviento',
    name: 'Sol y Viento Energía',
    domain: 'solviento.example',
    names: ['spanish', 'portuguese', 'french'],
  },
  {
    id: 'hansenvogt',
    name: 'Hansen & Vogt Logistik',
    domain: 'hansenvogt.example',
    names: ['german', 'turkish', 'polish', 'arabic'],
  },
]

export interface DemoPerson {
  id: string
  email: string
  givenName: string
  familyName: string
  image: string | null
  language: string | null
  chatAccess: boolean
  /** A person can belong to two organizations. */
  memberships: { organizationId: string; role: Role }[]
}

const MEMBERS_PER_ORGANIZATION = 60

/** About one in this many people has no picture, so that initials are shown, too. */
const WITHOUT_PICTURE = 6

/** The people who take part in the demo conversations, by the short name used there. */
const cast = {
  ada: ['Ada', 'Lindqvist', 'northwind', 'owner', 'en'],
  cleo: ['Cleo', 'Adeyemi', 'northwind', 'member', 'en'],
  priya: ['Priya', 'Raman', 'northwind', 'admin', 'en'],
  tom: ['Tom', 'Hadley', 'northwind', 'member', 'en'],
  ewa: ['Ewa', 'Nowak', 'northwind', 'member', 'en'],
  bo: ['Bo', 'Nakamura', 'kiku', 'owner', 'en'],
  mei: ['Mei', 'Sakamoto', 'kiku', 'admin', 'ja'],
  haruto: ['Haruto', 'Ishikawa', 'kiku', 'member', 'ja'],
  jisoo: ['Jisoo', 'Park', 'kiku', 'member', 'ko'],
  lucia: ['Lucía', 'Romero', 'solviento', 'owner', 'es'],
  mateo: ['Mateo', 'Vidal', 'solviento', 'admin', 'es'],
  chloe: ['Chloé', 'Marchand', 'solviento', 'member', 'fr'],
  rui: ['Rui', 'Carvalho', 'solviento', 'member', 'pt'],
  dana: ['Dana', 'Hoffmann', 'hansenvogt', 'owner', 'de'],
  jonas: ['Jonas', 'Vogt', 'hansenvogt', 'admin', 'de'],
  elif: ['Elif', 'Yıldız', 'hansenvogt', 'member', 'tr'],
  samir: ['Samir', 'Haddad', 'hansenvogt', 'member', 'de'],
} as const satisfies Record<string, readonly [string, string, string, Role, string]>

export type CastName = keyof typeof cast

/** The sign-ins that are printed at start. Cleo has no chat access. */
export const demoSignIns: { name: CastName; about: string }[] = [
  { name: 'ada', about: 'owner of Northwind Trading' },
  { name: 'bo', about: 'owner of Kiku Robotics' },
  { name: 'dana', about: 'owner of Hansen & Vogt, in German' },
  { name: 'cleo', about: 'member of Northwind Trading without chat access' },
]

/** Belongs to two organizations: two rows in a search, one person in a chat. */
const inTwo: { name: CastName; alsoIn: string } = { name: 'chloe', alsoIn: 'hansenvogt' }

const withoutChat: CastName[] = ['cleo']

export function castMember(name: CastName): DemoPerson {
  const [givenName, familyName, organizationId, role, language] = cast[name]
  const { domain } = demoOrganizations.find(({ id }) => id === organizationId)!
  const id = idOf(givenName, familyName)
  const memberships: DemoPerson['memberships'] = [{ organizationId, role }]
  if (name === inTwo.name) memberships.push({ organizationId: inTwo.alsoIn, role: 'member' })
  return {
    id,
    email: `${name}@${domain}`,
    givenName,
    familyName,
    image: `/avatars/${id}.svg`,
    language,
    chatAccess: !withoutChat.includes(name),
    memberships,
  }
}

/** All people: the cast, and enough others for directories with several pages. The same people every time. */
export function demoPeople(): DemoPerson[] {
  const people = (Object.keys(cast) as CastName[]).map(castMember)
  const taken = new Set(people.map(({ id }) => id))
  for (const organization of demoOrganizations) {
    const already = people.filter(({ memberships }) =>
      memberships.some(({ organizationId }) => organizationId === organization.id),
    )
    people.push(...crowd(organization, MEMBERS_PER_ORGANIZATION - already.length, taken))
  }
  return people
}

/** Walks through the name lists with steps coprime to their lengths, so that pairs repeat late. */
function crowd(
  { id: organizationId, domain, names }: DemoOrganization,
  count: number,
  taken: Set<string>,
): DemoPerson[] {
  const people: DemoPerson[] = []
  for (let step = 0; people.length < count; step++) {
    const { given, family } = nameLists[names[step % names.length]!]
    const round = Math.floor(step / names.length)
    const givenName = given[(round * 5) % given.length]!
    const familyName = family[(round * 7 + Math.floor(round / family.length)) % family.length]!
    const id = idOf(givenName, familyName)
    if (taken.has(id)) continue
    taken.add(id)
    people.push({
      id,
      email: `${id.replace('-', '.')}@${domain}`,
      givenName,
      familyName,
      image: people.length % WITHOUT_PICTURE === 0 ? null : `/avatars/${id}.svg`,
      language: null,
      chatAccess: people.length % 17 !== 16,
      memberships: [{ organizationId, role: people.length === 3 ? 'admin' : 'member' }],
    })
  }
  return people
}

function idOf(...names: string[]): string {
  return nameKey(...names).replace(/[^a-z0-9]+/g, '-')
}
