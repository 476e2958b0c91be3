import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundName, NO_SETTINGS, Project, previewIdOf, withAlias } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const [old, newest] = [makeVersion('docu', '1.0'), makeVersion('docu', '2.0+b1')];
const settings = withAlias(withAlias(NO_SETTINGS, 'lts', '1.0'), 'stable', '2.0+b1');
const project = new Project('docu', [old, newest], settings, new Set(['stable']));
const nameFor = (base: string, version = old, basePath = '') =>
  boundName({ project, version }, base, basePath);

describe('The bound name of a site', () => {
  it('is the name of its own version, however its pages encode it', () => {
    assert.equal(nameFor('/docu-1.0/'), 'docu-1.0');
    assert.equal(nameFor('/docu-2.0%2Bb1/', newest), 'docu-2.0+b1');
    assert.equal(nameFor('/docu-2.0+b1/', newest), 'docu-2.0+b1');
    const preview = { ...old, ...previewIdOf('docu', 'pr-1') };
    assert.equal(boundName({ project: undefined, version: preview }, '/docu%7Epr-1/', ''), 'docu~pr-1');
  });

  it('is an alias as long as the alias stands for this very version', () => {
    assert.equal(nameFor('/docu-lts/'), 'docu-lts');
    assert.equal(nameFor('/docu-lts/', newest), undefined);
    assert.equal(nameFor('/docu-latest/', newest), 'docu-latest');
    assert.equal(nameFor('/docu-latest/'), undefined);
  });

  it('is undefined where an alias is shadowed by a project', () => {
    assert.equal(nameFor('/docu-stable/', newest), undefined);
  });

  it('is undefined for any other base', () => {
    for (const base of [
      '/',
      '/docu-2.0+b1/',
      '/docu/',
      '/other-1.0/',
      '/docu-1.0/x/',
      '/x/docu-1.0/',
      '/%zz/',
    ]) {
      assert.equal(nameFor(base), undefined, base);
    }
  });

  it('is read after the base path of the server', () => {
    assert.equal(nameFor('/kb/docu-1.0/', old, '/kb'), 'docu-1.0');
    assert.equal(nameFor('/docu-1.0/', old, '/kb'), undefined);
    assert.equal(nameFor('/kbdocu-1.0/', old, '/kb'), undefined);
  });
});
