import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANYBODY,
  Catalogue,
  chooseProjects,
  NO_SETTINGS,
  type Reader,
  withAlias,
  withHidden,
} from '../../src/domain/index.js';
import { makePreview, makeVersion } from './make-version.js';

const CATALOGUE = Catalogue.of([
  makeVersion('flask', '2.0', { frontPage: { title: 'Flask web framework' } }),
  makeVersion('flask-login', '1.0', { docinfo: { name: 'Flask' } }),
  makeVersion('acme_payments', '1.0', { docinfo: { name: 'Money' } }),
  makeVersion('acme-payments', '1.0', { frontPage: { title: 'Money' } }),
  makeVersion('tool', '1.0', { docinfo: { name: 'Kettle' }, frontPage: { title: 'The Handbook' } }),
  makeVersion('TOOL2', '1.0'),
  makeVersion('strasse', '1.0', { docinfo: { name: 'Straße 3' } }),
  makeVersion('vault', '1.0', { docinfo: { name: 'Money Safe' } }),
  makeVersion('unlisted', '1.0'),
  makePreview('alone', 'pr-1'),
]).changed({
  settings: [
    ['tool', withAlias({ ...NO_SETTINGS, about: { title: 'Tool of tools' } }, 'lts', '1.x')],
    ['unlisted', withHidden(NO_SETTINGS, '1.0', true)],
  ],
});
const WITHOUT_VAULT: Reader = { rights: 'some', maySee: (project) => project !== 'vault' };

/** `flask`, or `flask 2.0` where the name means a version as well. */
const meant = (name: string, reader = ANYBODY) =>
  chooseProjects(CATALOGUE.seenBy(reader, new Date()), name).map(({ project, version }) =>
    version === undefined ? project : `${project} ${version}`,
  );

const MEANT: readonly (readonly [name: string, projects: readonly string[], why: string])[] = [
  ['flask', ['flask'], 'the directory name'],
  ['FLASK', ['flask'], 'a directory name wins over the name that another project gives itself'],
  [' Fl ask-', ['flask'], 'spaces and hyphens do not count'],
  ['flask web-framework', ['flask'], 'the title of the front page'],
  ['acme_payments', ['acme_payments'], 'the directory name itself wins'],
  ['Acme Payments', ['acme-payments', 'acme_payments'], 'a spelling of two directory names'],
  ['money', ['acme-payments', 'acme_payments'], 'a title of two projects'],
  ['Tool', ['tool'], 'another case'],
  ['kettle', ['tool'], 'the name of the docinfo'],
  ['TheHandbook', ['tool'], 'the title of the front page, also where pages show another'],
  ['tool of tools', ['tool'], 'the title that was set'],
  ['tool_2', ['TOOL2'], 'numbers belong to the name'],
  ['STRASSE3', ['strasse'], 'case is folded as in searches'],
  ['tool-1.0', ['tool 1.0'], 'the address of a version'],
  ['tool-lts', ['tool 1.0'], 'the address of an alias'],
  ['Tool LTS', ['tool lts'], 'an alias as people write it'],
  ['flask latest', ['flask latest'], 'the alias latest'],
  ['Money Safe', ['vault'], 'a title with a space'],
  ['alone~pr-1', ['alone ~pr-1'], 'the address of a preview'],
  ['unlisted', ['unlisted'], 'the exact name of a project without listed versions'],
  ['Unlisted', [], 'another spelling of a project without listed versions'],
  ['flas', [], 'a part of a name'],
  ['-_ ', [], 'nothing is no name'],
  ['', [], 'nor is an empty text'],
];

describe('The candidate projects of a name', () => {
  for (const [name, projects, why] of MEANT) {
    it(`are ${projects.join(', ') || 'none'} for '${name}': ${why}`, () =>
      assert.deepEqual(meant(name), projects));
  }

  it('exclude projects that the reader may not see, under every name', () => {
    for (const name of ['vault', 'Vault', 'Money Safe', 'vault-1.0', 'vault latest'])
      assert.deepEqual(meant(name, WITHOUT_VAULT), [], name);
  });

  it('stay unambiguous beside a project that the reader may not see', () => {
    const both = Catalogue.of([makeVersion('va_ult', '1.0'), makeVersion('vault', '1.0')]);
    const asked = (reader: Reader) =>
      chooseProjects(both.seenBy(reader, new Date()), 'V A ULT').map(({ project }) => project);
    assert.deepEqual(asked(ANYBODY), ['va_ult', 'vault']);
    assert.deepEqual(asked(WITHOUT_VAULT), ['va_ult']);
  });
});
