/** What is a mark in a chat message, in every script, and what is text. */
import { describe, expect, it } from 'vitest'
import { parseMarks } from './marks.ts'
import { firstLink, itemSign, plainText } from './plain-text.ts'
import type { Block, Inline } from './tree.ts'
import { isUnmarked, linesOf, paragraphsOf } from './unmarked.ts'

/** A drawn text in one line: `‹b:bold›`, paragraphs with `¶` between. */
function drawn(text: string, names: readonly string[] = ['Ada', 'Ada Okafor', '_kim_', '김철수', 'رنا']): string {
  return blocks(parseMarks(text, names))
}

function blocks(all: readonly Block[]): string {
  return all.map(drawnBlock).join('¶')
}

function drawnBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return inline(block.children)
    case 'code':
      return `‹pre${block.language ? ` ${block.language}` : ''}:${block.text}›`
    case 'quote':
      return `‹quote:${blocks(block.children)}›`
    case 'list':
      return `‹list:${block.items.map((item) => `${itemSign(block.sign, item)} ${blocks(item.children)}`).join('|')}›`
  }
}

const short = { bold: 'b', italic: 'i', strike: 's', code: 'code', mention: 'at' } as const

function inline(children: readonly Inline[]): string {
  return children
    .map((child) => {
      if (child.type === 'text') return child.text
      if (child.type === 'link') {
        const shown = inline(child.children)
        return child.url === shown ? `‹${shown}›` : `‹a ${child.url}:${shown}›`
      }
      return `‹${short[child.type]}:${'children' in child ? inline(child.children) : child.text}›`
    })
    .join('')
}

describe('marks are drawn', () => {
  it.each([
    ['**bold** *italic* _italic_ ~~strike~~ `code`', '‹b:bold› ‹i:italic› ‹i:italic› ‹s:strike› ‹code:code›'],
    ['***both***, **_both_** and **bold *and both***', '‹b:‹i:both››, ‹b:‹i:both›› and ‹b:bold ‹i:and both››'],
    ['(**a**), "**b**": *c*! **d**? **e**; ~~f~~…', '(‹b:a›), "‹b:b›": ‹i:c›! ‹b:d›? ‹b:e›; ‹s:f›…'],
    ['**Note:** see *that*', '‹b:Note:› see ‹i:that›'],
    ['**two\nlines**', '‹b:two\nlines›'],
    ['**-20 %** and **+3**', '‹b:-20 %› and ‹b:+3›'],
    ['**👍 done**', '‹b:👍 done›'],
    ['*foo *bar*', '*foo ‹i:bar›'],
    ['`a*b*c` and ``a`b`` and `**`', '‹code:a*b*c› and ‹code:a`b› and ‹code:**›'],
    ['the `Promise`s', 'the ‹code:Promise›s'],
    ['```js\nlet a = 1\n\nlet b\n```', '‹pre js:let a = 1\n\nlet b›'],
    ['look:\n```\n**a**\n```\ndone', 'look:¶‹pre:**a**›¶done'],
    ['```let a\nlet b```', '‹pre:let a\nlet b›'],
    ['> quoted\n> **more**\nmine', '‹quote:quoted\n‹b:more››¶mine'],
    ['> a\n>\n> b', '‹quote:a¶b›'],
    ['> > twice', '‹quote:‹quote:twice››'],
    ['- one\n- two', '‹list:– one|– two›'],
    ['* one\n* two', '‹list:• one|• two›'],
    ['1. one\n2. two', '‹list:1. one|2. two›'],
    ['1) one\n2) two', '‹list:1) one|2) two›'],
    [
      'To buy:\n- milk\n  fresh\n- bread\n  - dark\nThanks',
      'To buy:¶‹list:– milk\nfresh|– bread¶‹list:– dark››¶Thanks',
    ],
    ['- one\n\n- two', '‹list:– one|– two›'],
    ['one\n\ntwo', 'one¶two'],
    ['@Ada Okafor, @Ada: @_kim_ ＠Ada', '‹at:@Ada Okafor›, ‹at:@Ada›: ‹at:@_kim_› ‹at:＠Ada›'],
    ['**@Ada** (@Ada)', '‹b:‹at:@Ada›› (‹at:@Ada›)'],
  ])('%j', (text, expected) => expect(drawn(text)).toBe(expected))
})

describe('marks beside scripts without spaces, and words with suffixes', () => {
  it.each([
    ['**「重要」**です', '‹b:「重要」›です'],
    ['これは**重要**です。*ここ*も', 'これは‹b:重要›です。‹i:ここ›も'],
    ['**a**、**b**。', '‹b:a›、‹b:b›。'],
    ['**중요**합니다, `코드`를', '‹b:중요›합니다, ‹code:코드›를'],
    ['**「あ」**と~~い~~う', '‹b:「あ」›と‹s:い›う'],
    ['请**注意**，*谢谢*！', '请‹b:注意›，‹i:谢谢›！'],
    ['ข้อความ**สำคัญ**มาก', 'ข้อความ‹b:สำคัญ›มาก'],
    ['**ev**de, **İstanbul**’da', '‹b:ev›de, ‹b:İstanbul›’da'],
    ['**مهم** جدا، *نعم*؟', '‹b:مهم› جدا، ‹i:نعم›؟'],
    ['**महत्वपूर्ण**। *हाँ*', '‹b:महत्वपूर्ण›। ‹i:हाँ›'],
    ['**Важно:** *да*, «**нет**»', '‹b:Важно:› ‹i:да›, «‹b:нет›»'],
    ['¡**Hola**! *¿Qué?*', '¡‹b:Hola›! ‹i:¿Qué?›'],
    ['@김철수님 안녕, @رنا،', '‹at:@김철수›님 안녕, ‹at:@رنا›،'],
  ])('%j', (text, expected) => expect(drawn(text)).toBe(expected))
})

describe('everything else is text, as it was typed', () => {
  it.each([
    '[note]: hello',
    '[x]',
    '[]()',
    '[text]()',
    '[text](target)',
    '[press](javascript:alert(1))',
    '[press](JaVaScRiPt:alert(1))',
    '[press](data:text/html,x)',
    '[press](file:///etc/passwd)',
    '[press](//x)',
    '#',
    '# Title',
    '####### seven',
    '>',
    '>>',
    '> ',
    '>_<',
    '>:(',
    '>100',
    '*',
    '**',
    '****',
    '***',
    '~~~~',
    '``',
    '```',
    '```\n```',
    '```js\nnever closed',
    '`\u200b`',
    '---',
    '* * *',
    '___',
    '===',
    'Total\n---',
    'Total\n===',
    '    four spaces',
    '\ta tab',
    ' \u00a0a',
    'C:\\Users\\me\\_temp\\*.log',
    'C:\\*.log and D:\\*.txt',
    '\\*not bold\\*',
    '\\\\server\\share',
    'regex \\d+\\.\\w* and \\s*',
    'a line  \nwith two spaces',
    '5*3*2',
    '2 * 3 * 4',
    '2**3**4',
    '(a)*(b)*(c)',
    '(a*b)*(c*d)',
    '*.js,*.ts',
    '**/*.ts and **/*.js',
    '*/5 * * * *',
    '/* comment */ /*x*/ /** doc */',
    'SELECT * FROM a, b.* WHERE c*d',
    'f(*args, **kwargs)',
    'char **argv, char **envp, int *p, int *q',
    '__init__ and __name__',
    '_config_.yml',
    'snake_case_name and _private, _other',
    '+ 49 170 1234567',
    '- 5 °C',
    '* correction',
    '1. first',
    '2024. A year',
    '01. one\n02. two',
    '+ one\n+ two',
    '3~5 … 10~20',
    '~5 kg, ~6 kg',
    '~a~',
    'it`s and that`s',
    '^_^ hello ^_^',
    '-_- x -_-',
    '*_* (*_*) hi (*_*)',
    'T_T o_o u_u =_= ;_;',
    '(>_<) \\(^_^)/ ¯\\_(ツ)_/¯',
    '&amp; &copy; &#65;',
    '<b>hi</b> <img src=x onerror=alert(1)> <!-- x -->',
    '| a | b |\n|---|---|',
    '[x] done\n[ ] open',
    'a^2^ H~2~O ==mark== ||spoiler||',
    ':smile: :+1:',
    '！**', // a lone mark
    '@Adam x@Ada @ada',
  ])('%j', (text) => {
    expect(drawn(text)).toBe(text)
    expect(plainText(text)).toBe(text.replace(/\s+/g, ' ').trim())
  })

  it.each([
    ['4. four\n3. three\n2. two', '‹list:4. four|3. three|2. two›'],
    ['2024. a\n2025. b', '‹list:2024. a|2025. b›'],
    ['a\n\n\n\nb', 'a¶\n\nb'],
    ['  a\n    b', '  a\n    b'],
    ['a\r\nb\rc', 'a\nb\nc'],
  ])('%j', (text, expected) => expect(drawn(text)).toBe(expected))

  it('loses no letter, whatever is typed, and is the same without the parser where nothing can be a mark', () => {
    const pieces = [
      ...'ab1 \n\n  .,:;!?*_~`#>+-=()[]<&\\/@|"\'éあ한ا😄',
      '**',
      '~~',
      '```',
      '- ',
      '1. ',
      '> ',
      'https://a.bc',
      'Ada',
    ]
    const random = randomNumbers(7)
    const letters = (text: string) => text.replace(/[^\p{L}\p{N}\p{Emoji_Presentation}]/gu, '')
    let unmarked = 0
    for (let n = 0; n < 20_000; n++) {
      const text = Array.from({ length: 1 + (random() % 24) }, () => pieces[random() % pieces.length]).join('')
      const shown = drawn(text).replaceAll(/‹(?:pre(?: ([^:]*))?|quote|list|b|i|s|code|at|a [^:]*:\/\/[^:]*):/g, '$1')
      expect(letters(shown), JSON.stringify(text)).toBe(letters(text))
      // What can be seen is never drawn as nothing.
      expect(plainText(text) === '', JSON.stringify(text)).toBe(text.trim() === '')
      if (!isUnmarked(text)) continue
      unmarked++
      const paragraphs = paragraphsOf(linesOf(text)).map((text) => ({
        type: 'paragraph',
        children: [{ type: 'text', text }],
      }))
      expect(paragraphs, JSON.stringify(text)).toEqual(parseMarks(text, ['Ada']))
    }
    expect(unmarked).toBeGreaterThan(500)
  })
})

describe('addresses end where the address ends', () => {
  const address = 'https://example.com/a/b?c=d&e=f#g'
  it.each([
    ...[...'.,;:!?*_~|…。）」』】、，！？；：”“’»«›‹،؟؛।॥·—–"\'<>`\u200b\u200f\u2060\u3000\u00a0😀★→〜・'],
    ...[
      '...',
      '?!',
      '),',
      ').',
      '**',
      '~~',
      '。」',
      '에서',
      '에서,',
      '을',
      'を見て',
      'です。',
      '请看',
      'ครับ',
      ' x',
      '\n',
      '\\',
    ],
  ])('before %j', (end) => {
    expect(firstLink(`${address}${end}`)).toBe(address)
    expect(firstLink(`https://example.com${end}`)).toBe('https://example.com')
    expect(firstLink(`見て${address}${end}`)).toBe(address)
  })

  it.each([
    ['https://x.example/a_(b)', 'https://x.example/a_(b)'],
    ['(https://x.example/a_(b))', 'https://x.example/a_(b)'],
    ['(https://x.example/a)', 'https://x.example/a'],
    ['[https://x.example/a[1]]', 'https://x.example/a[1]'],
    ['(https://x.example/a)b', 'https://x.example/a'],
    ['https://x.example/{id}', 'https://x.example/{id}'],
    ['https://x.example(', 'https://x.example'],
    ['（https://x.example/a）', 'https://x.example/a'],
    ['https://ja.wikipedia.org/wiki/日本', 'https://ja.wikipedia.org/wiki/日本'],
    ['https://de.wikipedia.org/wiki/Köln.', 'https://de.wikipedia.org/wiki/Köln'],
    ['https://ru.wikipedia.org/wiki/Москва, да', 'https://ru.wikipedia.org/wiki/Москва'],
    ['https://ar.wikipedia.org/wiki/القاهرة؟', 'https://ar.wikipedia.org/wiki/القاهرة'],
    ['http://例え.テスト/パス。', 'http://例え.テスト/パス'],
    ['https://x.example/?q=日本&n=1、', 'https://x.example/?q=日本&n=1'],
    ['https://x.example/a-b_c~d%20e', 'https://x.example/a-b_c~d%20e'],
    ['HTTPS://X.example', 'HTTPS://X.example'],
    ['http://localhost:8080/a', 'http://localhost:8080/a'],
    ['see www.example.com.', 'http://www.example.com'],
    ['[docs](https://x.example/a_(b)) x', 'https://x.example/a_(b)'],
    ['> https://x.example', 'https://x.example'],
    ['- a\n- https://x.example', 'https://x.example'],
    ['**https://x.example**', 'https://x.example'],
    ['`https://x.example` https://y.example', 'https://y.example'],
    ['`https://x.example`', undefined],
    ['```\nhttps://x.example\n```', undefined],
    ['ada@example.com', undefined],
    ['http://', undefined],
    ['https://)', undefined],
    ['ahttps://x.example', undefined],
    [`https://x.example/${'a'.repeat(1_000)}`, undefined],
  ])('%j', (text, link) => expect(firstLink(text)).toBe(link))

  it.each([
    ['write to ada@example.com.', 'write to ‹a mailto:ada@example.com:ada@example.com›.'],
    ['ada@example.com에게', '‹a mailto:ada@example.com:ada@example.com›에게'],
    ['a@b, @c, a@b.c@d', 'a@b, @c, a@b.c@d'],
    ['[docs](https://x.example)', '‹a https://x.example:docs›'],
    ['![cat](https://x.example/c.png)', '!‹a https://x.example/c.png:cat›'],
    ['[**bold**](https://x.example)', '‹a https://x.example:‹b:bold››'],
    ['[site](www.x.example)', '‹a http://www.x.example:site›'],
    ['[https://bank.example](https://evil.example)', '[‹https://bank.example›](‹https://evil.example›)'],
    ['[https://x.example/a](https://x.example/b)', '‹a https://x.example/b:https://x.example/a›'],
    ['[a](https://x.example "title")', '[a](‹https://x.example› "title")'],
    ['[1]: https://x.example', '[1]: ‹https://x.example›'],
    ['<https://x.example>', '<‹https://x.example›>'],
    ['[\u200b](https://x.example)', '[\u200b](‹https://x.example›)'],
  ])('%j', (text, expected) => expect(drawn(text)).toBe(expected))
})

describe('the text without its marks', () => {
  it.each([
    ['**Hi** [there](https://x.example)\n\n- a\n- b', 'Hi there – a – b'],
    ['> _so_ it **is**: `x`, ~~not~~ snake_case', 'so it is: x, not snake_case'],
    ['4. four\n3. three', '4. four 3. three'],
    ['```js\nlet  a\n```', 'let a'],
    ['# Title\n---', '# Title ---'],
  ])('%j', (text, expected) => expect(plainText(text)).toBe(expected))
})

describe('a hostile text', () => {
  const size = 10_000
  it.each([
    ['halves of marks', '*_'.repeat(size)],
    ['openings', '*a _b ~~c **d '.repeat(size / 4)],
    ['brackets', '!['.repeat(size)],
    ['half links', '[a](https://'.repeat(size / 8)],
    ['quotes', '> '.repeat(size)],
    ['lists', '1. '.repeat(size)],
    ['indented lists', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n')],
    ['backticks', Array.from({ length: 150 }, (_, i) => '`'.repeat(i + 1)).join(' ')],
    ['fences', '```a b\n'.repeat(size / 4)],
    ['schemes', 'https://'.repeat(size / 4)],
    ['closing brackets', `https://${')'.repeat(size)}`],
    ['names', '@'.repeat(size)],
    ['halves of mail addresses', 'a.'.repeat(size)],
    ['empty lines', `${'\n'.repeat(size)}x`],
  ])(
    'of %s costs time in proportion to its length',
    (_, text) => {
      // Twice the text takes about twice the steps; were it quadratic, the test would run into its time limit.
      const repeated = text.repeat(8)
      expect(plainText(repeated).length).toBeGreaterThan(0)
      expect(depthOf(parseMarks(repeated))).toBeLessThan(100)
    },
    20_000,
  )
})

function depthOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  let depth = 0
  for (const child of Object.values(node)) depth = Math.max(depth, depthOf(child))
  return depth + (Array.isArray(node) ? 0 : 1)
}

/** A pseudo-random sequence, the same for every caller with the same seed. */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
