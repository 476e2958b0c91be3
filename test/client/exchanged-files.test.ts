import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { exitCodeOf } from '../../src/adapters/cli/client/client-error.js';
import { ClientError, packSite } from '../../src/adapters/cli/client/index.js';
import { EXCHANGES } from '../support/exchanges.js';
import { workplace, writeTree } from './lectern.js';

/** Two files, `site/a.bin`, which is packed first, and `site/sub/z.html`; and a secret outside of the site. */
async function siteIn(place: string): Promise<string> {
  await writeTree(place, {
    'site/a.bin': Buffer.alloc(300_000),
    'site/sub/z.html': 'a page',
    'outside/z.html': 'a secret',
  });
  return join(place, 'site');
}

function assertChanged(path: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ClientError, String(error));
    assert.equal(
      error.message,
      `'${path}' changed while it was being packed; try again when nothing is writing to it`,
    );
    assert.equal(exitCodeOf(error), 2);
    return true;
  };
}

describe('A file that is exchanged while its site is packed', { timeout: 60_000 }, () => {
  for (const [what, exchange] of Object.entries(EXCHANGES)) {
    it(`aborts the packing when exchanged for ${what}, and leaves no archive to send`, async (context) => {
      const place = await workplace(context);
      const site = await siteIn(place);
      let isExchanged = false;
      const onProgress = () => {
        if (!isExchanged) exchange(place, join(site, 'sub/z.html'));
        isExchanged = true;
      };
      await assert.rejects(packSite(site, { onProgress }), assertChanged('sub/z.html'));
      assert.ok(isExchanged);
    });
  }

  it('aborts the packing when a symlink of the site led to it', async (context) => {
    const place = await workplace(context);
    const site = await siteIn(place);
    await symlink('sub/z.html', join(site, 'b.html'));
    const onProgress = () => EXCHANGES['a FIFO']?.(place, join(site, 'sub/z.html'));
    let calls = 0;
    const once = () => {
      calls += 1;
      if (calls === 1) onProgress();
    };
    await assert.rejects(packSite(site, { onProgress: once }), assertChanged('b.html'));
  });

  it('is harmless once packed, or when only a symlink to a file of the site has changed', async (context) => {
    const place = await workplace(context);
    const site = await siteIn(place);
    await symlink('sub/z.html', join(site, 'b.html'));
    let calls = 0;
    const onProgress = () => {
      calls += 1;
      if (calls > 1) return;
      rmSync(join(site, 'a.bin'));
      rmSync(join(site, 'b.html'));
      symlinkSync(join(place, 'outside/z.html'), join(site, 'b.html'));
    };
    const { archive, files } = await packSite(site, { onProgress });
    context.after(() => archive.close());
    assert.equal(files, 3);
    const packed = await buffer(archive.read());
    assert.equal(packed.includes('a secret'), false);
  });
});
