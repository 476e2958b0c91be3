import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionIdOf, whyNoVersionId } from '../../src/domain/index.js';

const LABEL_RULE = "1 to 100 letters, digits, '.', '_', '-' or '+', with a letter or digit first";

describe('The reason that two names form no version', () => {
  for (const [project, label, why] of [
    ['my-site', 'feature/login', "a version may not contain '/'; use feature_login"],
    ['my-site', '1.0/beta', "a version may not contain '/'; use 1.0-beta"],
    ['my-site', 'größe', "a version may not contain 'ö'; use gr_e"],
    ['my-site', '///', "a version may not contain '/'"],
    ['with space', '1.0', "a project may not contain ' '; use with-space"],
    ['é', '1.0', "a project may not contain 'é'"],
    ['my-site', 'pr-123', "together they would be read back as version '123' of 'my-site-pr'; use pr_123"],
    ['a', 'latest', "a version may not end with 'latest', which always points to the newest version"],
    ['a', '1.0-docs.zip', "a version may not end with '-docs.zip'"],
    ['a', '-1.0', `a version has ${LABEL_RULE}; use 1.0`],
    ['a', '', `a version has ${LABEL_RULE}`],
    ['a', '1'.repeat(101), `a version has ${LABEL_RULE}`],
    [
      'x'.repeat(150),
      '1'.repeat(60),
      "a project has 1 to 100 letters, digits, '.', '_' or '-', with a letter or digit at both ends",
    ],
  ] as const) {
    it(`is given for '${project.slice(0, 20)}' and '${label.slice(0, 20)}', with a valid version`, () => {
      assert.equal(versionIdOf(project, label), undefined);
      assert.equal(whyNoVersionId(project, label), why);
      const [, use] = /; use (.+)$/.exec(why) ?? [];
      if (use === undefined) return;
      const id = why.startsWith('a project') ? versionIdOf(use, label) : versionIdOf(project, use);
      assert.notEqual(id, undefined);
    });
  }

  it('is undefined for a version', () => assert.equal(whyNoVersionId('a', '1.0'), ''));
});
