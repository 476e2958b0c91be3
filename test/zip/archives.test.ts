import { ZipArchives } from '../../src/adapters/zip/index.js';
import { archivesContract } from '../contracts/archives.js';
import { zipOf } from '../support/zip-writer.js';

archivesContract('ZipArchives', (files) => ({
  archives: new ZipArchives(),
  bytes: files === undefined ? Buffer.from('no zip') : zipOf(files),
}));
