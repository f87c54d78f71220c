import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import MarkedText from './MarkedText.tsx'
import { isLargeEmoji, MessageText } from './MessageText.tsx'
import { isPlain, plainText } from './plain-text.ts'
import { fetchMarkedText } from './use-marked-text.ts'

const html = (text: string, mentioned?: { id: string; name?: string }[]) =>
  renderToStaticMarkup(<MessageText text={text} mentioned={mentioned} />)
    .replace(/^<div[^>]*>/, '')
    .replace(/<\/div>$/, '')

beforeAll(fetchMarkedText)

describe('the text of a message', () => {
  it('is rendered with emphasis, strikethrough, lists and quotes', () => {
    expect(html('**a** _b_ ~~c~~ `d`')).toBe('<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>')
    expect(html('- one\n- two')).toContain('<ul><li><p>one</p></li>')
    expect(html('> said')).toBe('<blockquote><p>said</p></blockquote>')
  })

  it('shows raw HTML as characters', () => {
    expect(html('<img src=x onerror=alert(1)> & <b>hi</b>')).not.toMatch(/<img|<b>/)
    expect(html('<script>alert(1)</script>')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('links bare addresses, opens them elsewhere and never sends a referrer', () => {
    expect(html('see https://example.com/a.')).toContain(
      '<a href="https://example.com/a" target="_blank" rel="noopener noreferrer nofollow" tabindex="-1">',
    )
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//x',
  ])('never links %s', (url) => {
    expect(html(`[press](${url})`)).toBe('<p>press</p>')
    expect(html(`![picture](${url})`)).toBe('<p>picture</p>')
  })

  it('shows the real name of a look-alike host', () => {
    expect(html('https://аpple.com')).toContain('(xn--pple-43d.com)')
  })

  it('never breaks the outline of the page with a heading', () => {
    expect(html('# Big')).toBe('<p><strong>Big</strong></p>')
  })

  it.each([
    ['quotes', '>'.repeat(5_000)],
    ['lists', '1. '.repeat(1_600)],
    ['quotes and lists', `Hello\n${'> - '.repeat(1_200)}`],
    ['halves of marks', '*_'.repeat(2_500)],
    ['brackets', '!['.repeat(2_500)],
  ])('stays unparsed where it is only nested %s', (_, text) => {
    expect(html(`${text}end`)).toBe(`<p>${text.replaceAll('>', '&gt;')}end</p>`)
  })

  it('is still quoted twenty levels deep, and marked on every line', () => {
    expect(html(`${'>'.repeat(20)} said`)).toMatch(/^(<blockquote>){20}<p>said/)
    expect(html('- **one** and _two_\n'.repeat(100)).match(/<strong>/g)).toHaveLength(100)
    expect(html('a_long_name = **other_name**\n'.repeat(200))).toMatch(/<strong>/)
  })

  it('highlights a mention, longest name first', () => {
    const people = [
      { id: 'ada', name: 'Ada' },
      { id: 'ada2', name: 'Ada Okafor' },
    ]
    expect(html('@Ada Okafor, look', people)).toBe('<p><span class="chat-mention">@Ada Okafor</span>, look</p>')
  })
})

it('a few emoji alone are large', () => {
  expect(['👍', '👍🏽 🎉', '👨‍👩‍👧‍👦❤️🇯🇵'].map(isLargeEmoji)).toEqual([true, true, true])
  expect(['', '👍👍👍👍', 'ok 👍', '12', '!'].map(isLargeEmoji)).toEqual([false, false, false, false, false])
})

describe('a text without marks', () => {
  const people = [{ id: 'ada', name: 'Ada' }]
  const marked = (text: string) => renderToStaticMarkup(<MarkedText text={text} names={['Ada']} tabIndex={-1} />)

  it.each([
    'Hello',
    'one\ntwo\n\n three \n  four',
    'It is ~5 kg * 3, R&D says; snake_case at 6:30.',
    '@Ada, +1 and -1 (see #4) = 50 %',
    '😄 ありがとう! ¿Qué? 1.5 kg',
    'Look: https://example.com/a/b-c?d=e&f=1.2 and https://example.com.',
    '1.5\n-2\nC:/temp',
  ])('is rendered without the Markdown parser: %j', (text) => {
    expect(isPlain(text)).toBe(true)
    expect(html(text, people)).toBe(marked(text))
  })

  it.each([
    '*a*',
    '_a_',
    '~a~',
    '`a`',
    '- a',
    '1) a',
    '# a',
    '> a',
    'a\n==',
    'a\n---',
    '    a',
    'a  \nb',
    '[a](b)',
    '<b>',
    '&amp;',
    'a\\*',
    'www.example.com',
    'ada@example.com',
    'https://example.com/(a)',
    'http://localhost:80',
  ])('is distinguished from one with marks: %j', (text) => expect(isPlain(text)).toBe(false))

  it('is the same with Markdown, whatever its content', () => {
    const pieces = [
      ...'ab1 \n\n  .,:;!?*_~`#>+-=()[]<&\\/@|"\'éあ😄',
      'http://a.bc/',
      'https://d.ef',
      'www.g.hi',
      'Ada',
    ]
    const random = randomNumbers(7)
    const texts = Array.from({ length: 6_000 }, () =>
      Array.from({ length: 1 + (random() % 14) }, () => pieces[random() % pieces.length]).join(''),
    )
    const plain = texts.filter((text) => isPlain(text) && text.trim())
    expect(plain.length).toBeGreaterThan(1_000)
    for (const text of plain) expect(html(text, people), JSON.stringify(text)).toBe(marked(text))
  })
})

describe('the summary of a text', () => {
  it.each([
    ['**Hi** [there](https://x.example)\n\n- a\n- b', 'Hi there a b'],
    ['> # _so_ it **is**: `x`, ~~not~~ snake_case', 'so it is: x, not snake_case'],
    ['2 * 3 * 4 \\* 5', '2 * 3 * 4 * 5'],
    ['1. one\n2. two', 'one two'],
    ['```js\nlet a\n```', 'let a'],
    ['![cat](https://x.example/c.png) <https://y.example>', 'cat https://y.example'],
  ])('has no marks: %j', (text, summary) => expect(plainText(text)).toBe(summary))
})

/** A pseudo-random sequence, the same for every caller with the same seed. */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
