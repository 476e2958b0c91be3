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
  's3:///docs': /names no bucket/,
  's3://do': /'do' is no name of a bucket/,
  's3://Docs': /'Docs' is no name of a bucket/,
  's3://docs:9000/x': /'docs:9000' is no name of a bucket/,
  's3://do..cs': /is no name of a bucket/,
  's3://key:secret@docs': /credentials do not belong into it/,
  's3://docs//a': /empty component/,
  's3://docs/a//': /empty component/,
  's3://docs/../a': /component '..'/,
  's3://docs/ä': /letters of ASCII/,
  's3://docs/a b': /letters of ASCII/,
  's3://docs/a?b=c': /letters of ASCII/,
  's3://docs/a\nb': /letters of ASCII/,
  [`s3://docs/${'a'.repeat(513)}`]: /longer than 512 characters/,
};

describe('the address of a store', () => {
  for (const [text, expected] of Object.entries(GOOD)) {
    it(`is read: ${text}`, () => assert.deepEqual(parseStoreAddress(text), expected));
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
