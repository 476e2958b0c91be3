import type { IncomingHttpHeaders } from 'node:http';
import type { ReaderCredential } from '../../../application/index.js';

const AUTHORIZATION = /^(Bearer|Basic)(?: +(.*))?$/i;

/**
 * Returns the credential of a request: `X-Token`, else `Authorization` with `Bearer` (RFC 6750, section 2.1) or with the password of
 * `Basic` (RFC 7617). Other schemes are for proxies. No other place reads these headers.
 */
export function credentialOf(headers: IncomingHttpHeaders): ReaderCredential | undefined {
  const token = headers['x-token'];
  if (typeof token === 'string') return { scheme: 'token', secret: asSent(token) };
  const [, scheme = '', value = ''] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (scheme === '') return undefined;
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', secret: asSent(value) };
  const login = Buffer.from(value, 'base64').toString('utf8');
  const colon = login.indexOf(':');
  return colon === -1 ? undefined : { scheme: 'password', secret: login.slice(colon + 1) };
}

/** Node decodes headers as Latin-1; clients send non-ASCII secrets as UTF-8, as in the tokens file. */
function asSent(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}
