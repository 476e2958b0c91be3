import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_SETTINGS, Project, SearchTerm, withDescription } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

function projectCalled(name: string): Project {
  return new Project('dir-name', [makeVersion('dir-name', '1.0', { docinfo: { name } })]);
}

const termOf = (text: string) => SearchTerm.of(text) ?? assert.fail('too long');

const FOUND: readonly (readonly [name: string, term: string, why: string])[] = [
  ['My Project', 'proj', 'a part'],
  ['My Project', 'MY P', 'any case, with the space'],
  ['Straße', 'STRASSE', 'ß is SS in capitals'],
  ['STRASSE', 'straße', 'SS matches ß'],
  ['GRO\u1e9eE', 'große', 'capital ẞ is ß'],
  ['ΟΔΟΣ', 'οδος', 'the last sigma of a word is a sigma'],
  ['ΟΔΟΣ', 'οδοσ', 'the middle form of sigma matches the last'],
  ['οδος', 'ΟΔΟΣ', 'a capital sigma is the last sigma'],
  ['οδός', 'Σ', 'sigma at any position'],
  ['Caf\u00e9', 'cafe\u0301', 'é in one character or in two'],
  ['Cafe\u0301', 'CAF\u00c9', 'é in two characters or in one, in capitals'],
  ['İstanbul', 'İSTANBUL', 'a dotted capital I is itself'],
  ['İstanbul', 'i\u0307stanbul', 'a dotted capital I is a small i with a dot above'],
  ['İstanbul', 'stanbul', 'the letters after a dotted capital I'],
  ['ﬁnder', 'finder', 'a ligature is its letters'],
  ['\u212aelvin', 'kelvin', 'the sign for Kelvin is a K'],
  ['Łódź', 'łÓDŹ', 'letters with strokes and marks'],
  ['日本語', '本', 'scripts without case'],
  ['\u{10400}', '\u{10428}', 'letters beyond the first plane'],
  ['\u0390', '\u0390'.toUpperCase(), 'letters whose capital is written with three characters'],
];

describe('A search', () => {
  for (const [name, term, why] of FOUND) {
    it(`finds ${JSON.stringify(name)} for ${JSON.stringify(term)}: ${why}`, () => {
      assert.equal(projectCalled(name).matches(termOf(term)), true);
    });
  }

  it('searches the directory name as well', () => {
    assert.equal(projectCalled('Something else').matches(termOf('DIR-n')), true);
  });

  it('finds everything when empty', () => {
    assert.equal(projectCalled('x').matches(termOf('')), true);
  });

  it('treats every character literally: it has no patterns', () => {
    for (const term of ['.*', 'M_ Project', '%', '[a-z]', '^', '(', '\\']) {
      assert.equal(projectCalled('My Project').matches(termOf(term)), false, term);
    }
    assert.equal(projectCalled('C++ (x.*)').matches(termOf('++ (X.*')), true);
  });

  it('finds neither missing text nor text across the two names', () => {
    assert.equal(projectCalled('My Project').matches(termOf('projects')), false);
    assert.equal(projectCalled('Cafe').matches(termOf('café')), false);
    assert.equal(projectCalled('My').matches(termOf('mydir')), false);
  });

  it('searches the name and the directory name, not the title on pages', () => {
    const frontPage = { title: 'From its front page' };
    const project = new Project(
      'dir-name',
      [makeVersion('dir-name', '1.0', { docinfo: { name: 'My Project' }, frontPage })],
      withDescription(NO_SETTINGS, { title: 'As it was set' }),
    );
    assert.equal(project.title, 'As it was set');
    for (const [term, isFound] of [
      ['My', true],
      ['dir', true],
      ['set', false],
      ['front', false],
    ] as const)
      assert.equal(project.matches(termOf(term)), isFound, term);
    const undescribed = new Project('dir-name', [makeVersion('dir-name', '1.0', { frontPage })]);
    assert.equal(undescribed.matches(termOf('front')), false);
  });

  it('finds every letter by its capital, its small letter, and its composed and decomposed forms', () => {
    const missed: string[] = [];
    for (let code = 0; code < 0x20000; code++) {
      const letter = code >= 0xd800 && code <= 0xdfff ? '' : String.fromCodePoint(code);
      const forms = [
        letter.toLowerCase(),
        letter.toUpperCase(),
        letter.normalize('NFC'),
        letter.normalize('NFD'),
      ];
      if (!/\p{L}/u.test(letter) || forms.every((form) => form === letter)) continue;
      const project = projectCalled(letter);
      if (!forms.every((form) => project.matches(termOf(form))))
        missed.push(`U+${code.toString(16).padStart(4, '0')}`);
    }
    assert.deepEqual(missed, []);
  });
});
