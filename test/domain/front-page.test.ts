import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalogue, descriptionOfFrontPage, NO_SETTINGS, withDescription } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

describe('A project without a docinfo', () => {
  const frontPage = { title: 'Flask', description: 'A web framework.', icon: 'icon.png' };
  const version = makeVersion('flask', '2.2.0', { frontPage });
  const project = Catalogue.of([version]).project('flask') ?? assert.fail();

  it('has the title, description and logo of its front page on pages, and keeps its name', () => {
    assert.deepEqual(
      [project.title, project.summary, project.logo],
      ['Flask', 'A web framework.', { version, path: 'icon.png' }],
    );
    assert.deepEqual([project.name, project.description], ['flask', '']);
  });

  it('is described by its settings, then by a docinfo, then by its front page', () => {
    const docinfo = { name: 'Flask (docinfo)', logo: 'logo.svg' };
    const both = makeVersion('flask', '2.2.0', { frontPage, docinfo });
    const settings = [['flask', withDescription(NO_SETTINGS, { title: 'Set' })]] as const;
    const catalogue = Catalogue.of([both]);
    const named = catalogue.project('flask');
    assert.deepEqual(
      [named?.title, named?.summary, named?.logo?.path],
      ['Flask (docinfo)', 'A web framework.', 'logo.svg'],
    );
    assert.equal(catalogue.changed({ settings }).project('flask')?.title, 'Set');
  });
});

describe('The description of a front page', () => {
  it('is one line of at most 300 characters, or undefined', () => {
    assert.equal(descriptionOfFrontPage(' A web\n framework. '), 'A web framework.');
    assert.equal(descriptionOfFrontPage('x'.repeat(301)), undefined);
    assert.equal(descriptionOfFrontPage(' '), undefined);
    assert.equal(descriptionOfFrontPage('package index'), undefined);
  });
});
