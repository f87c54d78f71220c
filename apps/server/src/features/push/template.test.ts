import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { Template, TemplateError } from './template.ts'

const context = {
  sender: { id: 'ada', name: 'Ada "the first"\n' },
  message: { text: 'Lunch? 👩‍👩‍👧 🍜' },
  members: [{ id: 'ada', name: 'Ada' }, { id: 'bo' }, { id: 'cy', name: 'Cy' }, { id: 'dee', name: 'Dee' }],
  channel: { name: 'Kitchen' },
  unread_count: 5,
  isThread: false,
}

/** The rendered field `a` of a template with the context. */
const made = (hole: string) => new Template(`{"a":${hole}}`).fill(context).a

/** A list nested in lists. */
function nested(depth: number, inside: string): string {
  const lists = Array.from({ length: depth }, (_, i) => `{{#each ${'../'.repeat(i)}members}}`)
  return lists.join('') + inside + '{{/each}}'.repeat(depth)
}

describe('a push template', () => {
  it('inserts values as JSON, and nothing for missing ones', () => {
    assert.equal(made('"{{ sender.name }} in {{channel.name}}"'), 'Ada "the first"\n in Kitchen')
    assert.equal(made('"{{{sender.name}}}"'), 'Ada "the first"\n')
    assert.equal(made('"{{members}}{{channel}}{{nobody.at.home}}{{members.0.name}}{{isThread}}"'), '[]{}false')
    assert.deepEqual(made('{{json members}}'), context.members)
    assert.deepEqual(made('[{{json message.text}},{{json nothing}}]'), [context.message.text, null])
    assert.equal(made('{{~ unread_count ~}} {{! not seen }}{{!-- nor {{this}} --}}'), 5)
  })

  it('compares, branches, counts and truncates', () => {
    assert.equal(made('"{{#if unread_count}}some{{else}}none{{/if}}"'), 'some')
    assert.equal(made('"{{#unless isThread}}here{{/unless}}"'), 'here')
    assert.equal(made('"{{#equal unread_count 4}}4{{else equal unread_count 5}}5{{else}}more{{/equal}}"'), '5')
    assert.equal(made('"{{#unequal sender.id "bo"}}not Bo{{/unequal}}"'), 'not Bo')
    for (const [block, holds] of Object.entries({ ifLt: false, ifLte: true, ifGt: false, ifGte: true }))
      assert.equal(made(`{{#${block} unread_count 5}}true{{else}}false{{/${block}}}`), holds, block)
    assert.equal(made('{{remainder unread_count 3}}'), 2)
    assert.equal(made('"{{#if (remainder unread_count 5)}}odd{{else}}even{{/if}}"'), 'even')
    assert.equal(made('"{{truncate message.text 8}}"'), 'Lunch? 👩')
  })

  it('iterates over lists, and joins some of their members', () => {
    assert.equal(
      made('"{{#each members}}{{@index}}{{id}} of {{../channel.name}}{{#unless @last}}, {{/unless}}{{/each}}"'),
      '0ada of Kitchen, 1bo of Kitchen, 2cy of Kitchen, 3dee of Kitchen',
    )
    assert.equal(
      made('"{{#each channel}}{{@key}}={{this}}{{/each}}{{#each nobody}}x{{else}}none{{/each}}"'),
      'name=Kitchennone',
    )
    assert.equal(made('"{{implodeMembers members}}"'), 'Ada, bo, Cy and 1 other(s)')
    assert.equal(
      made(`"{{ implodeMembers members limit=1 separator=" & " nameField='id' suffixFmt="+%d" }}"`),
      'ada +3',
    )
    assert.equal(made('"{{implodeMembers members limit=9}}"'), 'Ada, bo, Cy, Dee')
  })

  it('reads plain data only, whatever the path', () => {
    for (const path of ['constructor.name', '__proto__', 'sender.constructor', 'sender.__proto__.x', 'toString'])
      assert.equal(made(`"{{${path}}}"`), '', path)
    assert.equal(made('"{{#each members}}{{constructor}}{{__proto__}}{{/each}}"'), '')
  })

  it('is refused with a reason if it is invalid, not JSON, or unbounded', () => {
    const wrong = [
      ...['{{#if a}}', '{{/if}}', '{{else}}', '{{#if a}}{{/each}}', '{{#if a}}{{else}}{{else}}{{/if}}', '{{', '{{}}'],
      ...['{{> other}}', '{{#nothing}}{{/nothing}}', '{{shout a}}', '{{truncate "a}}', '{{a b=}}', '{{(a}}', '{{a)}}'],
      ...['[]', '5', '', 'null', '{"a":{{sender.name}}}', '{{json members}}', '{"a":}'],
      '{{#if a}}'.repeat(21) + '{{/if}}'.repeat(21),
      `{"a":"${'x'.repeat(10_001)}"}`,
      `{"a":"${nested(8, 'x'.repeat(100))}"}`,
      `{"a":"${nested(6, '{{#if (truncate message.text 9)}}{{/if}}')}"}`,
      `{"a":{{equal ${'(equal '.repeat(25)}1 1${')'.repeat(25)} 1}}}`,
    ]
    for (const text of wrong) assert.throws(() => new Template(text).fill(context), TemplateError, text.slice(0, 80))
  })

  it('never fails in another way and never takes long, whatever it is', () => {
    const piece = fc.constantFrom(
      ...[
        '{{',
        '}}',
        '{{#if sender}}',
        '{{/if}}',
        '{{else}}',
        '{{#each members}}',
        '{{/each}}',
        '{"a":',
        '}',
        '"',
        '(',
        ')',
      ],
      ...[
        '{{json this}}',
        '{{name}}',
        '{{../x}}',
        '{{@index}}',
        'truncate',
        ' ',
        '=',
        '{{{',
        '}}}',
        '{{!--',
        '--}}',
        '~',
        '&',
        '5',
      ],
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            const made = new Template(text).fill(context)
            assert.equal(typeof made, 'object')
          } catch (error) {
            assert.ok(error instanceof TemplateError, `${text}: ${error}`)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('lets a message insert nothing but its own text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const filled = new Template('{"a":"{{message.text}}","b":{{json message.text}},"c":"{{{message.text}}}"}').fill(
          {
            message: { text },
          },
        )
        assert.deepEqual(Object.keys(filled), ['a', 'b', 'c'])
        assert.deepEqual(filled.b, text)
        assert.deepEqual([filled.a, filled.c], [text, text])
      }),
    )
  })
})
