import { describe } from 'node:test';
import { unicodePath, writeZip, type ZipEntry, zipOf } from '../support/zip-writer.js';
import { type HostileArchive, refusesAll, unpacking } from './unpacking.js';

const zip = unpacking();
const index = { name: 'index.html', content: 'home' };
const withEntry = (entry: ZipEntry) => () => writeZip([index, entry]);

function named(name: string, says: string, by: string): HostileArchive {
  return { says, by, entry: name, archive: withEntry({ name, content: 'evil' }) };
}

const DOTDOT = "has '..' in its path";
const ABSOLUTE = 'is an absolute path';
const DRIVE = 'has a drive letter';
const CONTROL = 'has a control character in its name';
const EMPTY = 'has an empty component in its path';
const NOT_UTF8 = 'has a name that is not valid UTF-8';
const TWICE = 'appears twice';
const FOLDED = 'appears twice: on this server, names that differ only in case are the same file';

describe('A name that leads outside of the site', () => {
  refusesAll(zip, [
    named('../evil.html', DOTDOT, 'the parent'),
    named('../../../../etc/cron.d/evil', DOTDOT, 'many parents'),
    named('a/../../evil.html', DOTDOT, 'parents in the middle'),
    named('a/../evil.html', DOTDOT, 'even where it stays inside'),
    named('a/..', DOTDOT, 'at the end'),
    named('..', DOTDOT, 'alone'),
    named('../', DOTDOT, 'as a directory'),
    named('./../evil.html', DOTDOT, 'behind a dot'),
    named('..\\evil.html', DOTDOT, 'with a backslash'),
    named('a\\..\\..\\evil.html', DOTDOT, 'with backslashes inside'),
    named('a/..\\../evil.html', DOTDOT, 'with both separators'),
    named('__MACOSX/../../evil.html', DOTDOT, 'in a directory that is dropped'),
    named('/etc/passwd', ABSOLUTE, 'Unix'),
    named('/', ABSOLUTE, 'the root itself'),
    named('//server/share/evil', ABSOLUTE, 'UNC'),
    named('\\\\server\\share\\evil', ABSOLUTE, 'UNC with backslashes'),
    named('\\evil.html', ABSOLUTE, 'one backslash'),
    named('.//etc/passwd', ABSOLUTE, 'behind a dot'),
    named('C:/evil.html', DRIVE, 'with a slash'),
    named('C:\\evil.html', DRIVE, 'with a backslash'),
    named('c:evil.html', DRIVE, 'relative to the drive'),
    named('./C:/evil.html', DRIVE, 'behind a dot'),
  ]);
});

describe('A name that is invalid for a file', () => {
  refusesAll(zip, [
    named('evil\0.html', CONTROL, 'NUL'),
    named('evil.html\0', CONTROL, 'NUL at the end'),
    named('evil\n.html', CONTROL, 'a line feed'),
    named('evil\r\n.html', CONTROL, 'CR LF'),
    named('\u001b[31mevil.html', CONTROL, 'a terminal sequence'),
    named('evil\u007f.html', CONTROL, 'DEL'),
    named('', 'has no name', 'and nothing else in its header'),
    { says: 'has no name', by: 'but a comment', entry: '', archive: withEntry({ name: '', comment: 'c' }) },
    named('a//b.html', EMPTY, 'two slashes'),
    named('a\\\\b.html', EMPTY, 'two backslashes'),
    named('a//', EMPTY, 'two slashes at the end'),
    named('.//', EMPTY, 'behind a dot'),
    named(`${'n'.repeat(256)}.html`, 'has a component longer than 255 bytes', '261 letters'),
    named(`${'é'.repeat(128)}`, 'has a component longer than 255 bytes', '128 letters of two bytes'),
    named(`${'d/'.repeat(1000)}x`, 'has more than 64 levels', 'a thousand levels'),
    named(`${'d/'.repeat(64)}x`, 'has more than 64 levels', '65 levels'),
    named(`${'d'.repeat(200)}/`.repeat(6), 'is longer than 1024 bytes', 'six long directories'),
    named(`${'x'.repeat(65_000)}`, 'is longer than 1024 bytes', '65,000 letters'),
    {
      says: NOT_UTF8,
      by: 'Latin-1 under the UTF-8 flag',
      entry: 'caf\ufffd.html',
      archive: withEntry({ name: Buffer.from('caf\xe9.html', 'latin1'), flags: 0x800, content: 'x' }),
    },
    {
      says: NOT_UTF8,
      by: 'an overlong slash',
      entry: '..\ufffd\ufffdevil',
      archive: withEntry({ name: Buffer.from('..\xc0\xafevil', 'latin1'), flags: 0x800, content: 'x' }),
    },
    {
      says: NOT_UTF8,
      by: 'a surrogate',
      entry: '\ufffd\ufffd\ufffd',
      archive: withEntry({ name: Buffer.of(0xed, 0xa0, 0x80), flags: 0x800, content: 'x' }),
    },
    {
      says: NOT_UTF8,
      by: 'in the Unicode path field',
      entry: 'caf\u00e9',
      archive: withEntry({
        name: Buffer.of(0x63, 0x61, 0x66, 0x82),
        madeBy: 20,
        extra: unicodePath(Buffer.of(0xff), Buffer.of(0x63, 0x61, 0x66, 0x82)),
        content: 'x',
      }),
    },
    {
      says: DOTDOT,
      by: 'in a Unicode path field of a plain name',
      entry: '../evil.html',
      archive: withEntry({ name: 'harmless.txt', extra: unicodePath('../evil.html', 'harmless.txt') }),
    },
    {
      says: CONTROL,
      by: 'in a Unicode path field of a plain name',
      entry: 'evil\0.html',
      archive: withEntry({ name: 'harmless.txt', extra: unicodePath('evil\0.html', 'harmless.txt') }),
    },
    {
      says: TWICE,
      by: 'a Unicode path field that says the name of another entry',
      entry: 'index.html',
      archive: withEntry({ name: 'harmless.txt', extra: unicodePath('index.html', 'harmless.txt') }),
    },
    {
      says: DOTDOT,
      by: 'in a Unicode path field that counts',
      entry: '../é',
      archive: withEntry({ name: Buffer.of(0x82), madeBy: 20, extra: unicodePath('../é', Buffer.of(0x82)) }),
    },
    {
      says: 'has a different name in its local header than in the central directory',
      by: 'a Unicode path field in the local header only',
      entry: '\u00e9',
      archive: withEntry({
        name: Buffer.of(0x82),
        madeBy: 20,
        local: { extra: unicodePath('è', Buffer.of(0x82)) },
      }),
    },
    {
      says: 'has a different name in its local header than in the central directory',
      by: 'two Unicode path fields for one plain name',
      entry: 'a.html',
      archive: withEntry({
        name: '_.html',
        local: { extra: unicodePath('b.html', '_.html') },
        central: { extra: unicodePath('a.html', '_.html') },
      }),
    },
    {
      says: 'has a different name in its local header than in the central directory',
      by: 'a local Unicode path field made for another name',
      entry: 'a.html',
      archive: withEntry({
        name: '_.html',
        local: { extra: unicodePath('a.html', 'was-a.html') },
        central: { extra: unicodePath('a.html', '_.html') },
      }),
    },
  ]);
});

describe('A path that another entry has', () => {
  const two = (first: string, second: string) => () =>
    writeZip([index, { name: first, content: '1' }, { name: second, content: '2' }]);
  refusesAll(zip, [
    { says: TWICE, by: 'one name', entry: 'a.html', archive: two('a.html', 'a.html') },
    { says: TWICE, by: 'with a backslash', entry: 'd\\a.html', archive: two('d/a.html', 'd\\a.html') },
    { says: TWICE, by: 'with a dot', entry: './a.html', archive: two('a.html', './a.html') },
    {
      says: TWICE,
      by: 'directories',
      entry: 'd/',
      archive: () => writeZip([index, { name: 'd/' }, { name: 'd/' }]),
    },
    { says: 'is both a file and a directory', by: 'the file last', entry: 'a', archive: two('a/b', 'a') },
    {
      says: 'is inside a path that is a file in the same archive',
      by: 'the file first',
      entry: 'a/b',
      archive: two('a', 'a/b'),
    },
    {
      says: 'is inside a path that is a file in the same archive',
      by: 'further down',
      entry: 'a/b/c/d',
      archive: two('a/b', 'a/b/c/d'),
    },
    {
      says: 'is both a file and a directory',
      by: 'an entry each',
      entry: 'a',
      archive: () => writeZip([index, { name: 'a/' }, { name: 'a', content: 'x' }]),
    },
    { says: FOLDED, by: 'case', entry: 'readme', foldsCase: true, archive: two('Readme', 'readme') },
    { says: FOLDED, by: 'case of a parent', entry: 'D/a', foldsCase: true, archive: two('d/a', 'D/a') },
    {
      says: FOLDED,
      by: 'composed and decomposed',
      entry: 'e\u0301',
      foldsCase: true,
      archive: two('\u00e9', 'e\u0301'),
    },
    {
      says: 'is both a file and a directory',
      by: 'in another case',
      entry: 'DOCS',
      foldsCase: true,
      archive: two('docs/a', 'DOCS'),
    },
  ]);
});

describe('An archive without files', () => {
  const none = 'it contains no files';
  refusesAll(zip, [
    { says: none, by: 'no entry', archive: () => zipOf({}) },
    { says: none, by: 'directories only', archive: () => zipOf({ 'docs/': '', 'docs/guide/': '' }) },
    { says: none, by: 'the root only', archive: () => zipOf({ './': '' }) },
    {
      says: none,
      by: 'only what systems leave behind',
      archive: () => zipOf({ '__MACOSX/._x': 'x', '.DS_Store': 'x', 'a/Thumbs.db': 'x' }),
    },
  ]);
});
