import assert from 'node:assert/strict'
import { UPLOAD_BYTES } from '@parley/protocol/attachments'
import { describe, it } from 'vitest'
import { cleanName, sizeText } from './file-names.ts'
import { checkType, sizeLimitOf, tooLarge } from './upload-rules.ts'
import { WaitingLine } from './waiting-line.ts'

describe('a file name', () => {
  for (const [name, clean] of [
    [undefined, 'file'],
    ['', 'file'],
    [' .. ', 'file'],
    ['tea.jpg', 'tea.jpg'],
    ['C:\\photos\\tea.jpg', 'tea.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['.htaccess', 'htaccess'],
    ['a<b>c:d"e|f?g*.txt', 'a_b_c_d_e_f_g_.txt'],
    ['exe.\u202Egpj', 'exe.gpj'],
    ['\u0000tea\u200B.jpg', 'tea.jpg'],
    [`${'x'.repeat(101)}.tar.gz`, `${'x'.repeat(100)}.gz`],
    [`${'🍵'.repeat(101)}.jpg`, `${'🍵'.repeat(100)}.jpg`],
    [`tea.${'x'.repeat(16)}`, `tea.${'x'.repeat(16)}`],
    [`${'x'.repeat(99)}.${'y'.repeat(17)}`, `${'x'.repeat(99)}.`],
  ] as const)
    it(`${JSON.stringify(name)?.slice(0, 30)} is shown so that nobody is misled`, () =>
      assert.equal(cleanName(name), clean))
})

it('sizes are shown in the largest unit that fits', () => {
  assert.deepEqual([0, 1_023, 1_024, 1_536, 104_857_600, 1_073_741_823, 1_073_741_824, 1_610_612_736].map(sizeText), [
    '0 bytes',
    '1023 bytes',
    '1 KB',
    '1.5 KB',
    '100 MB',
    '1024 MB',
    '1 GB',
    '1.5 GB',
  ])
  assert.match(tooLarge(2_048, 1_024).message, /too large: 2 KB, maximum upload size is 1 KB/)
  assert.match(tooLarge(undefined, 1_024).message, /too large: more than 1 KB/)
})

describe('allowed and blocked file types', () => {
  const open = {
    ...{ size_limit: 0, allowed_file_extensions: [], allowed_mime_types: [], blocked_file_extensions: [] },
    blocked_mime_types: [],
  }
  const passes = (rules: object, is: string | undefined = 'image/png', kind: 'file' | 'image' = 'file') => {
    try {
      checkType(kind, { ...open, ...rules }, 'tea.TAR.gz', is, 'image/webp')
      return true
    } catch {
      return false
    }
  }

  for (const [title, rules, isIn] of [
    ['without rules', {}, true],
    ['of a type', { allowed_mime_types: ['text/plain', 'IMAGE/PNG'] }, true],
    ['of a family of types', { allowed_mime_types: ['image/*'] }, true],
    ['of another family', { allowed_mime_types: ['imag/*'] }, false],
    ['of the type they only say to be', { allowed_mime_types: ['image/webp'] }, false],
    ['with an ending', { allowed_file_extensions: ['GZ'] }, true],
    ['with an ending of two parts', { allowed_file_extensions: ['.tar.gz'] }, true],
    ['with another ending', { allowed_file_extensions: ['z'] }, false],
    ['of a type that is blocked', { blocked_mime_types: ['image/png'] }, false],
    ['of a blocked type they only say to be', { blocked_mime_types: ['image/webp'] }, false],
    ['of another blocked type', { blocked_mime_types: ['text/*'] }, true],
    ['with a blocked ending', { blocked_file_extensions: ['.gz'] }, false],
    ['allowed and blocked', { allowed_file_extensions: ['gz'], blocked_file_extensions: ['gz'] }, false],
    [
      'of an allowed type with a wrong ending',
      { allowed_mime_types: ['image/png'], allowed_file_extensions: ['png'] },
      false,
    ],
  ] as const)
    it(`those ${title} are ${isIn ? 'let in' : 'kept out'}`, () => assert.equal(passes(rules), isIn))

  it('images must be images, and a file that contradicts its type is refused', () => {
    assert.deepEqual([passes({}, 'image/png', 'image'), passes({}, 'text/plain', 'image')], [true, false])
    assert.throws(() => checkType('file', open, 'a.txt', undefined, 'text/plain'), {
      fields: { file: 'File type text/plain is not supported' },
    })
  })

  it('no limit exceeds the maximum size', () => {
    const limits = [0, -1, 10, UPLOAD_BYTES, UPLOAD_BYTES + 1].map((size_limit) => sizeLimitOf({ ...open, size_limit }))
    assert.deepEqual(limits, [UPLOAD_BYTES, UPLOAD_BYTES, 10, UPLOAD_BYTES, UPLOAD_BYTES])
  })
})

it('expensive work runs a few at a time, in order, and excess calls are refused', async () => {
  const line = new WaitingLine(2, 1)
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const work = (name: string) =>
    line.take(() => {
      begun.push(name)
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name))),
      )
    })
  const works = ['a', 'b', 'c'].map(work)
  assert.deepEqual([begun, line.full], [['a', 'b'], true])
  await assert.rejects(work('d'), { kind: 'RateLimitError' })
  const failed = assert.rejects(works[0]!, /broken/)
  ends.get('a')!(new Error('broken'))
  await failed
  assert.deepEqual([begun, line.full], [['a', 'b', 'c'], false])
  for (const name of ['b', 'c']) ends.get(name)!()
  assert.deepEqual(await Promise.all(works.slice(1)), ['b', 'c'])
  for (const name of ['e', 'f']) void work(name)
  assert.deepEqual(begun, ['a', 'b', 'c', 'e', 'f'])
})
