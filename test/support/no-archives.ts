import assert from 'node:assert/strict';

/** For stores that are not expected to look into any archive. */
export const noArchives = {
  unpack: async () => assert.fail('nothing was to be unpacked'),
  index: async () => assert.fail('nothing was to be indexed'),
  verify: async () => assert.fail('nothing was to be verified'),
};
