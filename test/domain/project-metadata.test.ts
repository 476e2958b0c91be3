import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Project } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

describe('The description of a project', () => {
  it('is the directory name alone without a docinfo', () => {
    const project = new Project('p', [makeVersion('p', '1.0')]);
    assert.equal(project.name, 'p');
    assert.equal(project.description, '');
    assert.equal(project.logo, undefined);
  });

  it('comes from the latest version', () => {
    const project = new Project('p', [
      makeVersion('p', '1.0', { docinfo: { name: 'Old', description: 'old' } }),
      makeVersion('p', '2.0', { docinfo: { name: 'New', description: 'new', logo: 'img/logo.svg' } }),
      makeVersion('p', '3.0-rc1', { docinfo: { name: 'Not yet' } }),
    ]);
    assert.equal(project.name, 'New');
    assert.equal(project.description, 'new');
    assert.equal(project.logo?.path, 'img/logo.svg');
    assert.equal(project.logo?.version.label, '2.0');
  });

  it('comes from the newest version with a docinfo when the latest has none', () => {
    const project = new Project('p', [
      makeVersion('p', '1.0', { docinfo: { name: 'Oldest' } }),
      makeVersion('p', '1.1', { docinfo: { name: 'Older' } }),
      makeVersion('p', '2.0'),
    ]);
    assert.equal(project.name, 'Older');
  });

  it('comes from one version: fields of several versions are not mixed', () => {
    const project = new Project('p', [
      makeVersion('p', '1.0', { docinfo: { name: 'Old', description: 'old', logo: 'old.svg' } }),
      makeVersion('p', '2.0', { docinfo: { description: 'new' } }),
    ]);
    assert.equal(project.name, 'p');
    assert.equal(project.description, 'new');
    assert.equal(project.logo, undefined);
  });
});
