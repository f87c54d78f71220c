import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLargeEmoji, MessageText } from './MessageText.tsx'
import { loadMarks } from './marks.ts'

const html = (text: string, mentioned?: { id: string; name?: string }[]) =>
  renderToStaticMarkup(<MessageText text={text} mentioned={mentioned} />)
    .replace(/^<div[^>]*>/, '')
    .replace(/<\/div>$/, '')

beforeAll(loadMarks)

describe('the text of a message', () => {
  it('is rendered with emphasis, strikethrough, lists and quotes', () => {
    expect(html('**a** _b_ ~~c~~ `d`')).toBe('<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>')
    expect(html('- one\n- two')).toMatch(/^<ul data-sign="-".*<li><p>one<\/p><\/li><li><p>two<\/p><\/li><\/ul>$/)
    expect(html('> said')).toBe('<blockquote dir="auto"><p>said</p></blockquote>')
  })

  it('keeps the numbers of a list as typed, with room for the longest', () => {
    expect(html('2024) a\n7) b')).toMatch(
      /^<ol data-sign="\)".* style="--chat-list-digits:4"><li value="2024">.*<li value="7">/,
    )
  })

  it('shows raw HTML as characters', () => {
    expect(html('<img src=x onerror=alert(1)> & <b>hi</b>')).not.toMatch(/<img|<b>/)
    expect(html('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
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
    expect(html(`[press](${url})`)).toBe(`<p>[press](${url})</p>`)
    expect(html(`![picture](${url})`)).toBe(`<p>![picture](${url})</p>`)
  })

  it('shows the real name of a look-alike host', () => {
    expect(html('https://аpple.com')).toContain('(xn--pple-43d.com)')
  })

  it.each([
    ['quotes', '> '.repeat(5_000)],
    ['lists', '1. a\n2. '.repeat(1_600)],
    ['quotes and lists', `Hello\n${'> - '.repeat(1_200)}`],
    ['halves of marks', '*_'.repeat(2_500)],
    ['marks in one another', `${'*a _b '.repeat(800)}${'c_ d* '.repeat(800)}`],
    ['brackets', '!['.repeat(2_500)],
  ])('of nested %s can be rendered', (_, text) => expect(html(`${text}end`)).toContain('end'))

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
