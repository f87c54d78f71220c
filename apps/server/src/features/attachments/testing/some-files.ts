/** Files that tests upload. */
import type { UploadAnswer } from '@parley/protocol/attachments'
import sharp from 'sharp'
import { path, type TestUser } from '../../../testing/test-user.ts'

export const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n')
export const html = Buffer.from('<!doctype html><script>alert(1)</script>')
export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
/** The beginning of an ELF program. */
export const elf = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), Buffer.alloc(200)])

/** A PNG of one colour. */
export function aPicture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#2a9d8f' } })
    .png()
    .toBuffer()
}

/** A form with a file. */
export function aForm(name: string, type: string, bytes: Buffer): FormData {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  return form
}

export function uploads(
  testUser: TestUser,
  cid: string,
  kind: 'file' | 'image',
  form: FormData,
): Promise<Required<UploadAnswer>> {
  return testUser.does('POST', `${path(cid)}/${kind}`, { form })
}
