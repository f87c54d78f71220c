import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { isLargeEmoji, MessageText } from './MessageText.tsx'
import { plainText } from './parse-text.ts'

const html = (text: string, mentioned?: { id: string; name?: string }[]) =>
  renderToStaticMarkup(<MessageText text={text} mentioned={mentioned} />)
    .replace(/^<div[^>]*>/, '')
    .replace(/<\/div>$/, '')

describe('the words of a message', () => {
  it('are drawn with emphasis, strike, lists and quotes', () => {
    expect(html('**a** _b_ ~~c~~ `d`')).toBe('<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>')
    expect(html('- one\n- two')).toContain('<ul><li><p>one</p></li>')
    expect(html('> said')).toBe('<blockquote><p>said</p></blockquote>')
  })

  it('keep raw HTML as the characters it is', () => {
    expect(html('<img src=x onerror=alert(1)> & <b>hi</b>')).not.toMatch(/<img|<b>/)
    expect(html('<script>alert(1)</script>')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('link bare addresses, open them elsewhere and never send who one is', () => {
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
  ])('never link %s', (url) => {
    expect(html(`[press](${url})`)).toBe('<p>press</p>')
    expect(html(`![picture](${url})`)).toBe('<p>picture</p>')
  })

  it('show the true name of a host that only looks like another', () => {
    expect(html('https://аpple.com')).toContain('(xn--pple-43d.com)')
  })

  it('never break the outline of the page with a heading', () => {
    expect(html('# Big')).toBe('<p><strong>Big</strong></p>')
  })

  it('let a mention stand out, longest name first', () => {
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

it('plain text has no marks', () => {
  expect(plainText('**Hi** [there](https://x.example)\n\n- a\n- b')).toBe('Hi there a b')
})
