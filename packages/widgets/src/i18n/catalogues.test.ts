import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { addressedOtherwise, otherWords } from '../testing/forms-of-address.ts'
import { misprints } from '../testing/typography.ts'
import en from './catalogues/en.json'
import { exceptions, glossary, strayWords } from './glossary.ts'
import { notes } from './notes.ts'
import { catalogueLoader } from './use-language.ts'

const source = join(import.meta.dirname, '..')
const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'))
const catalogues = globSync('i18n/catalogues/*.json', { cwd: source }).map((file) => ({
  language: basename(file, '.json'),
  texts: read(join(source, file)),
}))
const components = globSync('**/*.{ts,tsx}', { cwd: source })
  .filter((file) => !/\.test\.|\.stories\.|^testing|^component-gallery/.test(file))
  .map((file) => ({ file, code: readFileSync(join(source, file), 'utf8') }))

type Token = string | [name: string, kind?: string, cases?: Record<string, Token[]>]
const tokensOf = (text: string) => compileMessageOrThrow(text) as Token[]

/** The placeholders of a message with their kind: `count plural`, `name`. */
function placeholders(tokens: Token[]): string[] {
  const found = tokens.flatMap((token) => {
    if (typeof token === 'string') return []
    const [name, kind, cases] = token
    const inside = cases && typeof cases === 'object' ? Object.values(cases).filter(Array.isArray) : []
    return [kind ? `${name} ${kind}` : name, ...inside.flatMap(placeholders)]
  })
  return [...new Set(found)].sort()
}

/** The plural cases of a message, one list per plural. */
function plurals(tokens: Token[]): string[][] {
  return tokens.flatMap((token) => {
    if (typeof token === 'string' || !token[2] || typeof token[2] !== 'object') return []
    const { offset: _, ...cases } = token[2]
    return [Object.keys(cases), ...Object.values(cases).filter(Array.isArray).flatMap(plurals)]
  })
}

it('[I18N-1] the kit has exactly twelve languages: English at once, the other eleven from a chunk each', async () => {
  const built = catalogues.map(({ language }) => language).toSorted()
  expect(built).toEqual(['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'tr'])
  for (const { language, texts } of catalogues.filter((catalogue) => catalogue.language !== 'en'))
    expect(Object.keys((await catalogueLoader.load(language)) ?? {}), language).toEqual(Object.keys(texts))
})

describe.each(catalogues)('the catalogue "$language"', ({ language, texts }) => {
  it('[I18N-2] has exactly the texts of the English one', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(en))
  })

  it('[I18N-2] is valid ICU and has the same placeholders as English', () => {
    for (const [key, text] of Object.entries(texts)) {
      const english = placeholders(tokensOf(en[key as keyof typeof en]))
      expect({ key, placeholders: placeholders(tokensOf(text)) }).toEqual({ key, placeholders: english })
    }
  })

  it('fills every plural category of its language, and no other', () => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of Object.entries(texts))
      for (const cases of plurals(tokensOf(text)))
        expect({ key, cases: cases.filter((name) => !/^\d/.test(name)).toSorted() }).toEqual({ key, cases: needed })
  })

  it('[I18N-12] uses one form of address', () => {
    expect(addressedOtherwise(language, texts)).toEqual([])
  })

  it('[I18N-15] uses the words of the glossary', () => {
    expect(language === 'en' ? [] : strayWords(language, en, texts)).toEqual([])
  })

  it('has no misprint', () => {
    // Given by the specification, sign by sign [TOA-9] [TOA-25] [TOA-27].
    const given = language === 'en' ? ['connection.reconnecting', 'upload.type', 'upload.count'] : []
    const found = Object.entries(texts).flatMap(([key, text]) =>
      given.includes(key) ? [] : misprints(language, text).map((fault) => `${key}: ${fault}`),
    )
    expect(found).toEqual([])
  })
})

it('every text with a placeholder has a note for translators that explains all of them', () => {
  const lacking = Object.entries(en).flatMap(([key, text]) => {
    const note: string = (notes as Record<string, string>)[key] ?? ''
    const names = new Set(placeholders(tokensOf(text)).map((name) => name.split(' ')[0]))
    return [...names].filter((name) => !note.includes(`{${name}}`)).map((name) => `${key}: {${name}}`)
  })
  expect(lacking).toEqual([])
})

describe('the glossary', () => {
  it('has a word for every term in all eleven languages', () => {
    const translated = catalogues.map(({ language }) => language).filter((language) => language !== 'en')
    for (const { words } of Object.values(glossary))
      expect(Object.keys(words).toSorted()).toEqual(translated.toSorted())
  })

  it('finds another word, a bare thread, and a ban that is called a block', () => {
    const english = { a: 'Unpin', b: 'Your threads', c: 'Ban {name}…', d: 'Archive', e: 'Latest replies to “{thread}”' }
    const french = {
      a: 'Ne plus afficher',
      b: 'Vos fils',
      c: 'Bannir et bloquer {name}…',
      d: 'Archiver',
      e: 'Dernières réponses à « {thread} »',
    }
    expect(strayWords('fr', english, french).map((fault) => fault.slice(0, fault.lastIndexOf(':')))).toEqual([
      'a: pin',
      'b: thread',
      'c: not block',
    ])
  })

  it('has no exception that is not needed', () => {
    const texts = Object.fromEntries(catalogues.map((catalogue) => [catalogue.language, catalogue.texts]))
    const unneeded = Object.entries(exceptions).flatMap(([language, keys]) =>
      Object.keys(keys)
        .filter((key) => texts[language]![key] !== undefined)
        .filter((key) => strayWords(language, en, { [key]: texts[language]![key]! }, {}).length === 0)
        .map((key) => `${language}: ${key}`),
    )
    expect(unneeded).toEqual([])
  })
})

describe('a misprint', () => {
  const texts: Record<string, string[]> = {
    de: ['Warten ...', 'Zwei  Wörter', "Geht's", 'Schließen …', 'Die Gruppe “Racks”'],
    es: ['Seguro?', 'Hola!', 'La „mesa“'],
    fr: ['Qui ?', 'Qui?', 'Voilà :', '« Racks\u202f»', 'Le "chat"'],
    ja: ['画像 {name}', '{count} 件', '名前:', '“はい”'],
    nl: ['„ja”', "foto's"],
  }

  it('would be found in each of these', () => {
    for (const [language, printed] of Object.entries(texts))
      expect(printed.filter((text) => misprints(language, text).length === 0)).toEqual([])
  })

  it('is none of these', () => {
    expect(misprints('de', 'Der Chat „Racks“ wird geladen\u00a0…')).toEqual([])
    expect(misprints('fr', 'Des smileys comme :) à https://a.test\u202f; l’heure\u202f: «\u202fmidi\u202f»')).toEqual(
      [],
    )
    expect(misprints('es', '¿Seguro? ¡Hola, «Ana»!')).toEqual([])
    expect(misprints('ja', '「{name}」を{count}件、Enterで送信：アドレスは https:// で')).toEqual([])
  })
})

describe('a sentence in another form of address', () => {
  const sentences = {
    de: ['Beginne einen, dann erscheint er hier.', 'Nur für dich sichtbar', 'Deine Chats'],
    es: ['Usted será su propietario.', 'Compruebe la conexión.', 'Recargue la página e inténtelo de nuevo.'],
    fr: ['Te revoilà', 'Personne n’a été ajouté. Réessaie.', 'Bo t’invite', 'Saisis un nom.', 'Ton compte'],
    hi: ['तुम ऑफ़लाइन हो।', 'एक विकल्प चुनो', 'तुम्हारी चैट'],
    it: ['Inserisca un indirizzo.', 'Il Suo server, i Suoi dati', 'Riprovi.'],
    ja: ['チャットはまだない。', '変更を保存した。', 'これは新しい招待だ。', '名前を選ぶ。もう一度試す。'],
    ko: ['사진을 저장했습니다.', '다시 시도하십시오.', '너만 볼 수 있어요', '어디에 계십니까?'],
    nl: ['U bent offline', 'Zet het aan in uw browser.'],
    pt: ['Tu estás offline.', 'A tua conta', 'Só visível para ti'],
    ru: ['Ты не в сети.', 'Удалить твоё сообщение?', 'Посмотрите, кто Вас упоминает'],
    tr: ['Sen: merhaba', 'Yalnızca senin ekranlarında.', 'Bo sana yazdı'],
  }

  it('[I18N-12] would be found in every language with such forms', () => {
    expect(Object.keys(sentences)).toEqual(Object.keys(otherWords))
    for (const [language, said] of Object.entries(sentences))
      expect(said.filter((text) => otherWords[language]?.test(text))).toEqual(said)
  })
})

it('no sentence is hard-coded in a component', () => {
  const found = components
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ file, code }) => writtenTexts(parseAst(code, { lang: 'tsx' })).map((text) => `${file}: ${text}`))
  expect(found).toEqual([])
})

it('a hard-coded sentence in a component would be found', () => {
  const code = 'const a = <p title="Hi there">\n  Hello {name}\n</p>'
  expect(writtenTexts(parseAst(code, { lang: 'tsx' }))).toEqual(['Hi there', 'Hello'])
})

it('every text of the catalogue is used', () => {
  const code = components.map((component) => component.code).join('\n')
  const unsaid = Object.keys(en).filter((key) => ![`'${key}'`, `="${key}"`].some((word) => code.includes(word)))
  // Keys that are concatenated: "messages.loadingOlder", "command.ban.asks" and the like.
  expect(unsaid.filter((key) => !/^(messages|command)\./.test(key))).toEqual([])
})

/** Text in JSX: as children, or as a visible or accessible attribute. */
function writtenTexts(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(writtenTexts)
  if (typeof node !== 'object' || node === null) return []
  const { type, value, name } = node as { type?: string; value?: unknown; name?: { name?: string } }
  if (type === 'JSXText') return /\p{L}{2}/u.test(String(value)) ? [String(value).trim()] : []
  if (type === 'JSXAttribute' && ['aria-label', 'title', 'placeholder', 'alt'].includes(name?.name ?? '')) {
    const written = (value as { type?: string; value?: unknown } | null)?.type === 'Literal'
    const text = written ? String((value as { value: unknown }).value).trim() : ''
    return text ? [text] : written ? [] : writtenTexts(value)
  }
  return Object.values(node).flatMap(writtenTexts)
}
