import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { extraField, unicodePath, unixMode, writeZip, type ZipEntry, zipOf } from '../support/zip-writer.js';
import { acceptsAll, type OddArchive, unpacking } from './unpacking.js';

const zip = unpacking();
const index = { name: 'index.html', content: 'home' };
const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i) % 251));
const large = Buffer.alloc(6 * 1024 * 1024, 'large content ');

const site = (title: string, files: Record<string, string>, becomes = files): OddArchive => ({
  title,
  archive: () => zipOf(files),
  files: becomes,
});

function odd(title: string, entry: ZipEntry, path = entry.name.toString()): OddArchive {
  const files = { 'index.html': 'home', [path]: entry.content ?? '' };
  return { title, archive: () => writeZip([index, entry]), files };
}

describe('A site in an archive', () => {
  acceptsAll(zip, [
    site('is at the root', { 'index.html': 'home', 'guide/a.html': 'a' }),
    site(
      'may be in one top-level directory, which is stripped',
      { 'docs/': '', 'docs/index.html': 'home', 'docs/guide/a.html': 'a' },
      { 'index.html': 'home', 'guide/a.html': 'a' },
    ),
    site('loses only the first of several nested directories', { 'a/b/c.html': 'c' }, { 'b/c.html': 'c' }),
    site(
      'loses its top-level directory beside files of macOS and Windows',
      {
        'docs/index.html': 'home',
        '__MACOSX/docs/._index.html': 'x',
        '.DS_Store': 'x',
        'docs/img/Thumbs.db': 'x',
        'docs/.DS_Store': 'x',
      },
      { 'index.html': 'home' },
    ),
    site(
      'loses its top-level directory beside empty directories',
      { 'other/': '', 'docs/index.html': 'home' },
      { 'index.html': 'home' },
    ),
    site('keeps its directory beside a file at the root', { 'docs/index.html': 'home', README: 'r' }),
    site('keeps its directories when they only share a prefix', { 'docs/a': 'a', 'docs-2/a': 'b' }),
    site('needs no index.html', { 'a.html': 'a', 'b.html': 'b' }),
    site('keeps dot-files', { 'index.html': 'home', '.nojekyll': '', '.well-known/security.txt': 'x' }),
    site('may hold prototype names', { __proto__x: 'a', constructor: 'b', toString: 'c' }),
    {
      title: 'may hold `__proto__` itself',
      archive: () => writeZip([index, { name: '__proto__', content: 'plain' }]),
      files: Object.fromEntries([
        ['index.html', 'home'],
        ['__proto__', 'plain'],
      ]),
    },
    site('may hold names that differ in case only', { README: 'A', readme: 'a' }),
    site('may hold both forms of é', { '\u00e9': 'composed', 'e\u0301': 'decomposed' }),
    site('may hold names that Windows reserves', {
      'con.html': 'x',
      'aux:1': 'x',
      'x?.html': 'q',
      'end. ': 'e',
    }),
    site('may hold dots that do not lead outside', { '...': 'a', '..a': 'b', 'a..': 'c', 'x/.../y': 'd' }),
    site('may hold an archive, which is not unpacked', {
      'index.html': 'home',
      'inner.zip': 'PK\x03\x04 as it came',
    }),
    site('may be 64 levels deep', { 'index.html': 'h', [`${'d/'.repeat(63)}x`]: 'deep' }),
    site('may have components of 255 bytes', { 'index.html': 'h', ['é'.repeat(127)]: 'wide' }),
  ]);
});

describe('A name', () => {
  const cp437 = Buffer.from('caf\x82.html', 'latin1');
  acceptsAll(zip, [
    odd('may have backslashes for slashes', { name: 'a\\b\\c.html', content: 'x' }, 'a/b/c.html'),
    odd('may begin with a dot component', { name: './a.html', content: 'x' }, 'a.html'),
    odd('may have dot components inside', { name: 'a/././b.html', content: 'x' }, 'a/b.html'),
    {
      title: 'may be the root itself, as `zip -r site.zip .` writes it',
      archive: () => writeZip([{ name: './' }, { name: './index.html', content: 'home' }]),
      files: { 'index.html': 'home' },
    },
    odd('is UTF-8 where the flag says so', { name: 'café/Ω.html', content: 'x' }),
    odd('is UTF-8 where a Unix host wrote valid UTF-8', { name: 'café.html', flags: 0, content: 'x' }),
    odd('is UTF-8 from macOS too', { name: 'café.html', flags: 0, madeBy: 19 << 8, content: 'x' }),
    odd('is code page 437 from DOS', { name: cp437, madeBy: 20, content: 'x' }, 'café.html'),
    odd('is code page 437 from Unix when it is no UTF-8', { name: cp437, content: 'x' }, 'café.html'),
    odd(
      'may be given by a Unicode path field',
      { name: cp437, madeBy: 20, extra: unicodePath('кафе.html', cp437), content: 'x' },
      'кафе.html',
    ),
    odd(
      'may be given by a Unicode path field in the central directory alone',
      { name: cp437, madeBy: 20, central: { extra: unicodePath('кафе.html', cp437) }, content: 'x' },
      'кафе.html',
    ),
    odd(
      'is that of the Unicode path field where the header has question marks',
      { name: '????.html', extra: unicodePath('кафе.html', '????.html'), content: 'x' },
      'кафе.html',
    ),
    odd(
      'is that of the Unicode path field under the UTF-8 flag, too',
      { name: 'é.html', extra: unicodePath('è.html', 'é.html'), content: 'x' },
      'è.html',
    ),
    {
      title: 'may be the same in two headers whose Unicode path fields differ',
      archive: () =>
        writeZip([
          index,
          { name: '??.html', extra: unicodePath('да.html', '??.html'), content: 'yes' },
          { name: '??.html', extra: unicodePath('но.html', '??.html'), content: 'but' },
        ]),
      files: { 'index.html': 'home', 'да.html': 'yes', 'но.html': 'but' },
    },
    odd('may be given twice with equal bytes', {
      name: 'é.html',
      extra: unicodePath('é.html', 'é.html'),
      content: 'x',
    }),
    odd('is not changed by a Unicode path field made for another', {
      name: 'a.html',
      extra: unicodePath('b.html', 'was-b.html'),
      content: 'x',
    }),
    odd('is not changed by a Unicode path field of another version', {
      name: 'a.html',
      extra: extraField(0x7075, Buffer.from('\x02....b.html')),
      content: 'x',
    }),
  ]);
});

const empty = deflateRawSync('');

describe('The content of an entry', () => {
  acceptsAll(zip, [
    odd('may be stored', { name: 'a.bin', method: 0, content: bytes }),
    odd('may be deflated', { name: 'a.bin', content: bytes }),
    odd('may be large and deflated', { name: 'a.bin', content: large }),
    odd('may be large and stored', { name: 'a.bin', method: 0, content: large }),
    odd('may be empty, stored', { name: 'empty', method: 0 }),
    odd('may be empty, deflated', { name: 'empty', method: 8, data: empty }),
    odd('may be empty, with a descriptor', { name: 'empty', method: 8, data: empty, descriptor: 'signed' }),
    odd('may be empty, as stored deflate blocks', {
      name: 'empty',
      method: 8,
      data: Buffer.from('000000ffff010000ffff', 'hex'),
    }),
    {
      title: 'may be an empty deflate stream for a directory, as written by jar',
      archive: () => writeZip([{ name: 'd/', method: 8, data: empty }, index]),
      files: { 'index.html': 'home' },
    },
    {
      title: 'may be followed by a descriptor for a directory',
      archive: () => writeZip([{ name: 'd/', descriptor: 'signed' }, index]),
      files: { 'index.html': 'home' },
    },
    ...(['signed', 'unsigned', 'signed64', 'unsigned64'] as const).map((descriptor) =>
      odd(`may be followed by a descriptor, ${descriptor}`, { name: 'a.bin', content: bytes, descriptor }),
    ),
    odd('may be stored and followed by a descriptor', {
      name: 'a.bin',
      method: 0,
      content: bytes,
      descriptor: 'signed',
    }),
    odd('may have the CRC of a descriptor signature', {
      name: 'a.bin',
      method: 0,
      content: Buffer.from('ac0a7ad5', 'hex'),
      descriptor: 'unsigned',
    }),
    odd('may announce a descriptor and have the sizes up front', {
      name: 'a.bin',
      content: bytes,
      flags: 0x8,
    }),
    odd('may be followed by zeros', { name: 'a.bin', content: bytes, after: Buffer.alloc(5000) }),
  ]);
});

describe('A header', () => {
  acceptsAll(zip, [
    odd('may have modes, which are not applied', { name: 'a', content: 'x', attributes: unixMode(0o104777) }),
    odd('may have no mode', { name: 'a', content: 'x', attributes: 0 }),
    odd('may come from any host', { name: 'a', content: 'x', madeBy: (10 << 8) | 63, attributes: 0x20 }),
    odd('may have unknown extra fields', {
      name: 'a',
      content: 'x',
      extra: extraField(0x5455, Buffer.alloc(5)),
    }),
    odd('may have other extra fields locally', {
      name: 'a',
      content: 'x',
      local: { extra: extraField(0xcafe, Buffer.alloc(0)) },
    }),
    odd('may end its extra fields with up to three bytes of padding', {
      name: 'a',
      content: 'x',
      local: { extra: Buffer.alloc(3) },
    }),
    odd('may have a comment', { name: 'a', content: 'x', comment: 'PK\x01\x02 not a header' }),
    odd('may declare UTF-8 for an ASCII name in one header only', {
      name: 'a',
      content: 'x',
      local: { flags: 0x800 },
    }),
    odd('may use zip64 for a small file', { name: 'a', content: 'x', zip64: true }),
    odd('may use zip64 and a descriptor', { name: 'a', content: 'x', zip64: true, descriptor: 'signed64' }),
  ]);
});

describe('An archive', () => {
  const files = { 'index.html': 'home' };
  acceptsAll(zip, [
    {
      title: 'may have a comment',
      archive: () => writeZip([index], { comment: Buffer.from('hello') }),
      files,
    },
    {
      title: 'may have a comment of the maximum length',
      archive: () => writeZip([index], { comment: Buffer.alloc(0xffff, 'c') }),
      files,
    },
    { title: 'may use zip64 records while small', archive: () => writeZip([index], { zip64: {} }), files },
    {
      title: 'may repeat its numbers in both end records',
      archive: () => writeZip([index], { zip64: {}, end: { entries: 1, entriesHere: 1 } }),
      files,
    },
    {
      title: 'may list its entries in another order than the data',
      archive: () => {
        const archive = writeZip([index, { name: 'b.html', content: 'b' }]);
        const start = archive.readUInt32LE(archive.length - 6);
        const [first, second] = [archive.subarray(start, start + 56), archive.subarray(start + 56, -22)];
        return Buffer.concat([archive.subarray(0, start), second, first, archive.subarray(-22)]);
      },
      files: { ...files, 'b.html': 'b' },
    },
    {
      title: 'may have padding before its central directory',
      archive: () => writeZip([index], { beforeDirectory: Buffer.alloc(512) }),
      files,
    },
  ]);
});

describe('The common tools', () => {
  const python = `
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)
z.writestr('index.html', 'home'); z.writestr('é.html', 'x' * 1000); z.close()`;

  it('write archives that are accepted: zip', { skip: !has('zip') }, async () => {
    await zip.accepts(await packed((file, cwd) => execFileSync('zip', ['-qr', file, '.'], { cwd })), made);
  });

  it('write archives that are accepted: zip to a pipe', { skip: !has('zip') }, async () => {
    const archive = await packed((file, cwd) =>
      execFileSync('sh', ['-c', `zip -qr - . | cat > '${file}'`], { cwd }),
    );
    await zip.accepts(archive, made);
  });

  it('write archives that are accepted: Python', { skip: !has('python3') }, async () => {
    const archive = await packed((file) => execFileSync('python3', ['-c', python, file]));
    await zip.accepts(archive, { 'index.html': 'home', 'é.html': 'x'.repeat(1000) });
  });

  const made = { 'index.html': 'home', 'guide/é.html': 'é'.repeat(1000), 'guide/empty': '' };

  async function packed(pack: (archiveFile: string, cwd: string) => void): Promise<Buffer> {
    const cwd = await zip.place();
    await mkdir(join(cwd, 'guide'));
    for (const [path, content] of Object.entries(made)) await writeFile(join(cwd, path), content);
    const archiveFile = join(await zip.place(), 'made.zip');
    pack(archiveFile, cwd);
    return readFile(archiveFile);
  }
});

describe('An unpacked site', () => {
  it('has modes 0644 and 0755, whatever the archive contains, minus the umask', async () => {
    const modes = { attributes: unixMode(0o106777) };
    const archive = writeZip([
      index,
      { name: 'd/', attributes: unixMode(0o041777) },
      { name: 'd/a', ...modes },
    ]);
    const { siteDirectory, result } = await zip.unpack(archive);
    await result;
    const mode = async (path: string) => (await stat(join(siteDirectory, path))).mode & 0o7777;
    const umask = process.umask();
    assert.equal(await mode('d/a'), 0o644 & ~umask);
    assert.equal(await mode('d'), 0o755 & ~umask);
    assert.equal(await mode('.'), 0o755 & ~umask);
  });

  it('keeps empty directories, which do not count as files', async () => {
    const { siteDirectory, result } = await zip.unpack(zipOf({ 'index.html': 'home', 'a/b/': '' }));
    assert.equal((await result).facts.site.files, 1);
    assert.ok((await stat(join(siteDirectory, 'a/b'))).isDirectory());
  });
});

function has(tool: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`]);
    return true;
  } catch {
    return false;
  }
}
