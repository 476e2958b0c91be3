import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Files of a certificate that web servers in tests have, and their clients trust. */
export interface Certificate {
  /** Path of the certificate. */
  readonly file: string;
  /** Path of its private key. */
  readonly key: string;
  /** The certificate in PEM, which signs itself. */
  readonly pem: string;
}

/** Makes a certificate for a host name, for one day, with the line of docs/nginx.md. */
export async function makeCertificate(directory: string, host = 'docs.example.org'): Promise<Certificate> {
  const [file, key] = [join(directory, 'docs.pem'), join(directory, 'docs.key')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1'];
  const name = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...name, '-out', file, '-keyout', key]);
  await chmod(key, 0o600);
  return { file, key, pem: await readFile(file, 'utf8') };
}
