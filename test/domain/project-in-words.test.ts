import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ANYBODY,
  Catalogue,
  NO_SETTINGS,
  type ProjectFilter,
  projectInWords,
  type Reader,
  withAlias,
  withHidden,
} from '../../src/domain/index.js';
import { makePreview, makeVersion } from './make-version.js';

const CATALOGUE = Catalogue.of([
  makeVersion('cmake', '3.25.1', { docinfo: { name: 'CMake', group: 'Build' } }),
  makeVersion('python', '3.9.2'),
  makeVersion('python', '3.11.2'),
  makeVersion('python', '3.12.0rc1'),
  makeVersion('commons-io', '2.11.0', { frontPage: { title: 'Apache Commons IO API' } }),
  makeVersion('flask', '2.2.0'),
  makeVersion('flask', '3.0.0'),
  makeVersion('flask-login', '1.0'),
  makeVersion('lua5.1', '5.1.5'),
  makeVersion('setuptools', '66.1'),
  makeVersion('boilerkit', '2.0'),
  makeVersion('d-bus', '1.14'),
  makeVersion('click', '8.1.3', { docinfo: { name: 'Click' } }),
  makeVersion('table', '2.0'),
  makeVersion('link', '1.0', { docinfo: { name: 'LinK' } }),
  makeVersion('guide', '1.0', { docinfo: { name: 'Getting started' } }),
  makeVersion('go-tour', '1.0', { frontPage: { title: 'The Gopher Programming Language' } }),
  makeVersion('acme_pay', '1.0', { docinfo: { name: 'Money' } }),
  makeVersion('acme-pay', '1.0', { docinfo: { name: 'Money' } }),
  makeVersion('quiet', '1.0', { docinfo: { search: false } }),
  makeVersion('unlisted', '1.0'),
  makeVersion('vault', '1.0', { docinfo: { name: 'Money Safe' } }),
  makePreview('flask', 'pr-1'),
]).changed({
  settings: [
    ['flask', withHidden(withAlias(withAlias(NO_SETTINGS, 'lts', '2.x'), 'dev', '3.x'), '2.2.0', false)],
    ['python', withHidden(NO_SETTINGS, '3.9.2', true)],
    ['unlisted', withHidden(NO_SETTINGS, '1.0', true)],
  ],
});
const SEEN = CATALOGUE.seenBy(ANYBODY, new Date());
const WITHOUT_VAULT: Reader = { rights: 'some', maySee: (project) => project !== 'vault' };

/** `cmake 3.25.1 | link with mold`; the empty text for none. */
function meant(text: string, filter?: ProjectFilter, seen = SEEN): string {
  const found = projectInWords(seen, text, filter);
  if (found === undefined) return '';
  assert.equal(found.project.directoryName, found.version.project);
  return `${found.version.project} ${found.version.label} | ${found.rest}`;
}

const CASES: readonly (readonly [text: string, meant: string, why: string])[] = [
  ['CMake: link with mold', 'cmake 3.25.1 | link with mold', 'a name with a colon'],
  [' cmake link with mold ', 'cmake 3.25.1 | link with mold ', 'a name alone, with the unchanged rest'],
  ['cmake - link with mold', 'cmake 3.25.1 | link with mold', 'a dash between name and rest'],
  ['cmake -D option', 'cmake 3.25.1 | -D option', 'an option belongs to the rest'],
  ['cmake: -D option', 'cmake 3.25.1 | -D option', 'an option after a colon'],
  ['python 3.11 new features', 'python 3.11.2 | new features', 'the beginning of a label'],
  ['Python 3.11.2: new features', 'python 3.11.2 | new features', 'a label with a colon'],
  ['python: 3.11 new features', 'python 3.11.2 | new features', 'a colon in front of the version'],
  ['python v3.11.2, new features', 'python 3.11.2 | new features', 'another spelling of a version'],
  ['python-3.11.2 new features', 'python 3.11.2 | new features', 'the address of a version'],
  ['python 3 new features', 'python 3.11.2 | new features', 'the newest stable version with a prefix'],
  [
    'python: 3 ways to sort',
    'python 3.11.2 | 3 ways to sort',
    'a whole number after a colon, which is no version',
  ],
  ['python 4.0 new features', 'python 3.11.2 | 4.0 new features', 'a number that matches no version'],
  ['python 3.8 new features', 'python 3.11.2 | 3.8 new features', 'a number near a version'],
  ['python 3.9.2 new features', 'python 3.11.2 | 3.9.2 new features', 'a hidden version'],
  ['flask lts cookies', 'flask 2.2.0 | cookies', 'an alias'],
  ['Flask LTS cookies', 'flask 2.2.0 | cookies', 'an alias in another case'],
  ['flask-lts cookies', 'flask 2.2.0 | cookies', 'the address of an alias'],
  ['flask dev server', 'flask 3.0.0 | dev server', 'an alias that is an ordinary word'],
  ['flask-dev server', 'flask 3.0.0 | server', 'an alias joined to the name'],
  ['flask ~pr-1 cookies', 'flask 3.0.0 | ~pr-1 cookies', 'a preview, which the words cannot name'],
  ['flask login remember me', 'flask-login 1.0 | remember me', 'the longest name wins'],
  ['flask_login: remember', 'flask-login 1.0 | remember', 'the longest name with another separator'],
  ['flask-restful cookies', '', 'a part of a longer name'],
  ['flask.Flask route', '', 'a part of an identifier'],
  ['flask_2 cookies', '', 'a name with a number'],
  ['flask::Flask route', '', 'a namespace'],
  [
    'Apache Commons IO 2.11 copy a directory',
    'commons-io 2.11.0 | copy a directory',
    'a title without its kind',
  ],
  ['apache commons io api copy', 'commons-io 2.11.0 | copy', 'the whole title'],
  ['commons io copy', 'commons-io 2.11.0 | copy', 'the directory name in words'],
  ['gopher maps', 'go-tour 1.0 | maps', 'a title without its article'],
  ['Lua 5.1: stack size', 'lua5.1 5.1.5 | stack size', 'a number in the name'],
  ['Boiler Kit steam', 'boilerkit 2.0 | steam', 'a name that is written apart'],
  ['set up tools for tests', '', 'a name written apart into ordinary words'],
  ['D-Bus message size', 'd-bus 1.14 | message size', 'a name with a hyphen'],
  ['dbus message size', 'd-bus 1.14 | message size', 'a name without its hyphen'],
  ['click nested groups', '', 'an ordinary word'],
  ['Click nested groups', '', 'an ordinary word with a capital'],
  ['click: nested groups', 'click 8.1.3 | nested groups', 'an ordinary word with a colon'],
  ['click 8.1 nested groups', 'click 8.1.3 | nested groups', 'an ordinary word with a version'],
  ['click 7.0 nested groups', '', 'an ordinary word with a missing version'],
  ['table 2 columns', '', 'an ordinary word with an unrelated number'],
  ['LinK cookies', 'link 1.0 | cookies', 'an ordinary word with the capitals of the title'],
  ['LINK cookies', '', 'an ordinary word with other capitals'],
  ['getting started with cookies', '', 'a title of ordinary words'],
  ['money cookies', '', 'a title of two projects'],
  ['acme pay cookies', '', 'a spelling of two directory names'],
  ['acme_pay cookies', 'acme_pay 1.0 | cookies', 'an exact directory name among two'],
  ['money safe cookies', 'vault 1.0 | cookies', 'a longer title than the ambiguous one'],
  ['quiet cookies', '', 'a project that is not searched'],
  ['unlisted cookies', '', 'a project without listed versions'],
  ['cmake', '', 'nothing but a name'],
  ['python 3.11', '', 'nothing but a name and a version'],
  ['python 3.1', '', 'a name and the prefix of a version'],
  ['cmake: how to', '', 'a name and filler words'],
  ['link with mold in cmake', '', 'a name at the end'],
  ['"cmake link" mold', '', 'a phrase'],
  ['', '', 'nothing at all'],
];

describe('The project in the words of a search', () => {
  for (const [text, expected, why] of CASES) {
    it(`is ${expected === '' ? 'none' : `'${expected}'`} for '${text}': ${why}`, () =>
      assert.equal(meant(text), expected));
  }

  it('has the reason for the choice of its version, as typed', () => {
    const asked = (text: string) => {
      const { why, asked } = projectInWords(SEEN, text) ?? assert.fail(text);
      return [why, asked];
    };
    assert.deepEqual(asked('python sort'), ['latest', undefined]);
    assert.deepEqual(asked('python 3.11 sort'), ['range', '3.11']);
    assert.deepEqual(asked('flask LTS cookies'), ['alias', 'lts']);
  });

  it('passes the filter', () => {
    assert.equal(meant('cmake link', { group: 'build' }), 'cmake 3.25.1 | link');
    assert.equal(meant('python sort', { group: 'build' }), '');
  });

  it('excludes projects that the reader may not see, which cause no ambiguity either', () => {
    assert.equal(meant('vault cookies', {}, CATALOGUE.seenBy(WITHOUT_VAULT, new Date())), '');
    const two = Catalogue.of([makeVersion('va_ult', '1.0'), makeVersion('vault', '1.0')]);
    assert.equal(meant('VAULT cookies', {}, two.seenBy(ANYBODY, new Date())), '');
    assert.equal(meant('VAULT cookies', {}, two.seenBy(WITHOUT_VAULT, new Date())), 'va_ult 1.0 | cookies');
  });

  it('leaves the end of the text, whatever was typed', () => {
    const parts = [
      'cmake',
      'Flask',
      'lts',
      '3.11',
      ':',
      ' ',
      '-',
      '_',
      '~',
      '"',
      'cookies',
      'ß',
      '\ud800',
      '٣',
    ];
    const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string())).map((words) => words.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const found = projectInWords(SEEN, text);
        return found === undefined || (text.endsWith(found.rest) && found.rest.length < text.length);
      }),
    );
  });
});
