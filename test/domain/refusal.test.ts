import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { quote, type Refusal, refuse } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';

/** Characters that are invisible, or change the look of the text after them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

describe('Foreign text in a sentence', () => {
  it('is quoted unchanged when all characters are visible', () => {
    for (const text of ['a.html', 'ä ö', '日本語', '😀', '', '<b>&amp;</b>'])
      assert.equal(quote(text), `'${text}'`);
  });

  for (const [text, name] of [
    ['\u0000', 'a NUL'],
    ['a\nb', 'a new line'],
    ['\u001b[2J', 'an escape sequence'],
    ['\u0085', 'a control character beyond ASCII'],
    ['\u202e', 'a turn of the writing direction'],
    ['\u200f', 'a mark of the writing direction'],
    ['\u200b', 'a space of no width'],
    ['\ufeff', 'a byte order mark'],
    ['\u00ad', 'a soft hyphen'],
    ['\u2028', 'a line separator'],
    ['\u{e0041}', 'an invisible tag'],
    ['\ud800', 'half a character'],
  ] as const) {
    it(`shows ${name}`, () => {
      assert.doesNotMatch(quote(text), INVISIBLE);
      assert.match(quote(text), /\\u/);
    });
  }

  it('is cut visibly when long', () => {
    assert.ok(quote('x'.repeat(10_000)).length <= 203);
    assert.match(quote('x'.repeat(10_000)), /x…'$/);
    assert.doesNotMatch(quote('x'.repeat(200)), /…/);
  });

  it('is never cut in the middle of a character', () => {
    for (let length = 195; length <= 201; length++) {
      assert.doesNotMatch(quote(`${'x'.repeat(length)}😀😀😀😀`), /\p{Cs}/u);
      assert.match(quote(`${'x'.repeat(length)}\u0000\u0000\u0000`), /^'x+(?:\\u0000)*…?'$/);
    }
  });

  it('is always visible and never long', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 400 }), (text) => {
        assert.doesNotMatch(quote(text), INVISIBLE);
        assert.ok(quote(text).length <= 220);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('A refusal', () => {
  const hostile = `x'\r\nSet-Cookie: a=b\u001b[31m\u202e${'y'.repeat(5000)}`;
  const refusals: readonly Refusal[] = [
    refuse.invalidFilename(hostile, 'is odd'),
    refuse.invalidArchive('is odd', hostile),
    refuse.projectNotAllowed(hostile, hostile),
    refuse.projectNotExisting(hostile, hostile),
    refuse.deleteNotAllowed(hostile),
    refuse.versionExists('p', '1.0', hostile),
    refuse.projectNotFound(hostile),
    refuse.versionNotFound(hostile, hostile),
  ];
  for (const refusal of refusals) {
    it(`shows hostile text in part, with the code ${refusal.code}`, () => {
      assert.doesNotMatch(refusal.message, INVISIBLE);
      assert.ok(refusal.message.length < 800, `${refusal.message.length} characters`);
    });
  }

  it('is an error with a code, a sentence, its facts and its cause, without HTTP', () => {
    const cause = new Error('ENOSPC');
    const refusal = refuse.insufficientStorage({ cause });
    assert.ok(refusal instanceof Error);
    assert.equal(refusal.name, 'Refusal');
    assert.equal(refusal.code, 'insufficient_storage');
    assert.equal(refusal.cause, cause);
    assert.doesNotMatch(refusal.message, /ENOSPC/);
    assert.deepEqual(Object.keys(refusal).sort(), ['code', 'facts', 'name', 'setting', 'warnings']);
  });

  it('names an exceeded limit, its value, and the actual value', () => {
    assert.match(refuse.uploadTooLarge(10, 11).message, /limit is 10 bytes.*11 bytes/);
    const refusal = refuse.archiveTooLarge({ setting: 'files', limit: 5, met: 6, unit: 'files' });
    assert.match(refusal.message, /limit is 5 files.*6 files/);
    assert.deepEqual([refusal.setting, refusal.facts], ['files', { limit: 5, met: 6 }]);
  });

  it('distinguishes a server without tokens, a missing token and an unknown one', () => {
    const all = [refuse.noTokensConfigured(), refuse.missingToken(), refuse.unknownToken()];
    assert.deepEqual(new Set(all.map(({ code }) => code)), new Set(['authentication_required']));
    assert.equal(new Set(all.map(({ message }) => message)).size, 3);
  });
});
