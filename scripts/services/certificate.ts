import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DAYS = '2'

/** A certificate of an authority that exists for one run alone. Each is the path of a PEM file. */
export interface Certificate {
  /** The authority's own certificate, which clients must trust. */
  ca: string
  cert: string
  key: string
  /** Certificate and key in one. */
  both: string
  /** Its hash for Chromium's `--ignore-certificate-errors-spki-list`. */
  spki: string
}

/**
 * Makes a certificate for these host names, signed by an authority of its own.
 *
 * @param folder  for the files, which only the owner may read
 */
export function makeCertificate(folder: string, names: readonly string[]): Certificate {
  const at = (file: string) => join(folder, file)
  const [ca, caKey, cert, key, both] = [at('ca.pem'), at('ca.key'), at('cert.pem'), at('cert.key'), at('both.pem')]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', DAYS]
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  openssl('req', '-x509', ...newKey, '-keyout', caKey, '-out', ca, '-subj', '/CN=An authority for tests')
  openssl(
    ...[
      'req',
      '-x509',
      ...newKey,
      '-CA',
      ca,
      '-CAkey',
      caKey,
      '-keyout',
      key,
      '-out',
      cert,
      '-subj',
      `/CN=${names[0]}`,
    ],
    ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'extendedKeyUsage=serverAuth'],
  )
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 })
  const publicKey = new X509Certificate(readFileSync(cert)).publicKey.export({ type: 'spki', format: 'der' })
  return { ca, cert, key, both, spki: createHash('sha256').update(publicKey).digest('base64') }
}
