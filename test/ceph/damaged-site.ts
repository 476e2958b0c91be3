import { randomBytes } from 'node:crypto';
import { writeZip } from '../support/zip-writer.js';

/** Larger than what is read before it is sent, as gzip too. */
export const LARGE = randomBytes(1_500_000).toString('hex');
export const SMALL = '<p>Some words.</p>\n'.repeat(3_000);
/** A site whose archive reaches the server damaged: two files are deflated, and one is stored. */
export const ARCHIVE = writeZip([
  { name: 'index.html', content: SMALL },
  { name: 'large.txt', content: LARGE },
  { name: 'stored.txt', content: LARGE, method: 0 },
]);
export const GZIP = { 'Accept-Encoding': 'gzip' };
