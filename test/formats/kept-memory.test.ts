import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryObjects } from 'node:v8';
import { readPage } from '../../src/formats/html/index.js';

class Nothing {}

/** Bytes in use after a full garbage collection, strings outside of the heap included. */
function usedBytes(): number {
  /a/.exec('a'); // `RegExp.$_` keeps the last string that matched
  queryObjects(Nothing, { format: 'count' }); // collects garbage first
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const styled = (name: string, comments: number) =>
  Buffer.from(`<style>.${name}{display:none}</style><p class="${name}">a</p>${'<!-- -->'.repeat(comments)}`);

describe('A parsed page', () => {
  it('keeps none of its style rules in memory', () => {
    const page = styled('a-class-with-a-long-name', 1e6);
    readPage(styled('another-class-with-a-long-name', 1), { path: 'page.html' });
    const before = usedBytes();
    readPage(page, { path: 'page.html' });
    const kept = usedBytes() - before;
    assert.ok(kept < page.length / 2, `${kept} bytes`);
  });
});
