import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BadStoreAddress, parseStoreAddress } from '../../src/adapters/object-store/client/store-address.js';

const GOOD = {
  's3://docs': { bucket: 'docs', prefix: '' },
  's3://docs/': { bucket: 'docs', prefix: '' },
  's3://team.docs-1/lectern': { bucket: 'team.docs-1', prefix: 'lectern/' },
  's3://docs/a/B_c/d.e-f/': { bucket: 'docs', prefix: 'a/B_c/d.e-f/' },
};

const BAD = {
  '': /begin with 's3:\/\/'/,
  docs: /begin with 's3:\/\/'/,
  'https://s3.example.org/docs': /begin with 's3:\/\/'/,
  'S3://docs': /begin with 's3:\/\/'/,
  's3:///docs': /it has no bucket/,
  's3://do': /'do' is not a valid bucket name/,
  's3://Docs': /'Docs' is not a valid bucket name/,
  's3://docs:9000/x': /'docs:9000' is not a valid bucket name/,
  's3://do..cs': /is not a valid bucket name/,
  's3://key:secret@docs': /it must not contain credentials/,
  's3://docs//a': /empty component/,
  's3://docs/a//': /empty component/,
  's3://docs/../a': /component '..'/,
  's3://docs/ä': /only ASCII letters/,
  's3://docs/a b': /only ASCII letters/,
  's3://docs/a?b=c': /only ASCII letters/,
  's3://docs/a\nb': /only ASCII letters/,
  [`s3://docs/${'a'.repeat(513)}`]: /longer than 512 characters/,
};

describe('The address of a store', () => {
  for (const [text, expected] of Object.entries(GOOD)) {
    it(`is parsed: ${text}`, () => assert.deepEqual(parseStoreAddress(text), expected));
  }

  for (const [text, why] of Object.entries(BAD)) {
    it(`is refused with a sentence: ${JSON.stringify(text).slice(0, 60)}`, () => {
      const { message } = assertThrown(text);
      assert.match(message, /^the store must be s3:\/\/<bucket> or s3:\/\/<bucket>\/<prefix>: /);
      assert.match(message, why);
      assert.doesNotMatch(message, /secret/);
    });
  }
});

function assertThrown(text: string): BadStoreAddress {
  try {
    parseStoreAddress(text);
  } catch (error) {
    assert.ok(error instanceof BadStoreAddress);
    return error;
  }
  assert.fail('nothing was thrown');
}
