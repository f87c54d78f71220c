import { expect, it } from 'vitest'
import { outlineOf } from './outline.ts'

it('an outline has the tag, attributes and text of an element, and omits purely visual elements', () => {
  const html = `<!-- a page --><div><form class="chat-form wide" action="/send"><label for="_r_1_">Name</label>
    <input id="_r_1_" required type="text"><p>Sent <b>at once</b>.</p></form></div><style>p { color: red }</style>`
  expect(outlineOf(html)).toBe(
    `form.chat-form.wide action="/send"
  label for="id" “Name”
  input id="id" required type="text"
  p “Sent”
    b “at once”
    “.”
`,
  )
})

it('a drawing is one line, identified by its beginning', () => {
  const html =
    '<button type="button"><svg class="icon" viewBox="0 0 24 24"><path d="M12 5v14M5 12h14 and so on"></path></svg></button>'
  expect(outlineOf(html)).toBe('button type="button"\n  svg.icon path d="M12 5v14M5 12h14"\n')
})

it('omits values that vary between runs', () => {
  const html = `<a href="http://127.0.0.1:4711/assets/lake-BFovNyKT.svg"><img src="blob:http://here/1" style="width: 20px; --share: 40%"></a>
    <time datetime="2026-06-10">9:41 AM</time><i title="12 minutes ago"></i>`
  expect(outlineOf(html)).toBe(
    `a href="http://here/assets/lake.svg"
  img src="blob:" style="--share: 40%"
time “0:00”
i title="a while ago"
`,
  )
})
