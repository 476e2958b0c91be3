import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { installed } from '../support/builders/npm.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { skipUnless, succeeds } from '../support/needs.js';
import { OWN_PAGES, startWithPages } from '../support/own-pages.js';

const CHECKER = 'vnu-jar@26.9.27';
/** All browsers have it; the HTML standard does not: it is in the File and Directory Entries API. */
const NOT_IN_THE_STANDARD = /^Attribute “webkitdirectory” not allowed/;

interface Message {
  readonly type: string;
  readonly url: string;
  readonly message: string;
}

/** Errors and warnings of the Nu HTML checker; not its notes. It exits with 1 where there are any. */
async function check(files: readonly string[]): Promise<readonly Message[]> {
  const jar = join(await installed(CHECKER), 'vnu-jar/build/dist/vnu.jar');
  const output = await new Promise<string>((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    execFile(
      'java',
      ['-jar', jar, '--format', 'json', '--exit-zero-always', ...files],
      options,
      (_, __, err) => resolve(err),
    );
  });
  const { messages } = JSON.parse(output) as {
    readonly messages: readonly (Message & { subType?: string })[];
  };
  return messages.filter(({ type, subType }) => type !== 'info' || subType === 'warning');
}

describe('The Nu HTML checker', skipUnless(await succeeds('java', '-version'), 'there is no Java'), () => {
  it('finds nothing in the own pages but webkitdirectory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-html-'));
    const server = await startWithPages(new MemorySearchIndex(), new MemoryUsageStore());
    try {
      const names = new Map<string, string>();
      for (const [index, path] of Object.values(OWN_PAGES).entries()) {
        const file = join(directory, `${index}.html`);
        await writeFile(file, await (await server.get(path)).text());
        names.set(file, path);
      }
      const found = await check([...names.keys()]);
      assert.deepEqual(
        found
          .filter(({ message }) => !NOT_IN_THE_STANDARD.test(message))
          .map(({ url, message }) => `${names.get(url.replace(/^file:/, ''))}: ${message}`),
        [],
      );
      assert.ok(found.some(({ message }) => NOT_IN_THE_STANDARD.test(message)));
    } finally {
      await server.close();
      await rm(directory, { recursive: true });
    }
  });
});
