import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { ApplyRetention, Changes, ExpirePreviews } from '../../src/application/index.js';
import { withAlias } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { noArchives } from '../support/no-archives.js';
import { seeded } from '../support/seeded.js';

const DAY = 24 * 60 * 60_000;
const START = Date.UTC(2026, 0, 1);
const SITE = { 'index.html': 'x' };

describe('A year of pull requests, daily builds and releases', () => {
  it('keeps protected versions, and a bounded number of files', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-year-'));
    t.after(() => rm(directory, { recursive: true }));
    const docs = await FilesystemDocStore.open(directory, {
      archives: { ...noArchives, pack: noArchives.unpack },
      readDocinfo: () => ({}),
      graceMs: 0,
      pollMs: 60_000,
    });
    const rules = { keepPerMinor: 3, keepPreReleases: 10, preReleaseDays: 14 };
    const use = new ApplyRetention(docs, new Changes(docs), rules);
    const expire = new ExpirePreviews(docs, new Changes(docs));
    const random = seeded(7);
    /** Releases and builds as they were published, and when. */
    const releases: {
      readonly label: string;
      readonly minor: number;
      readonly patch: number;
      readonly on: number;
    }[] = [];
    const builds: { readonly label: string; readonly minor: number; readonly on: number }[] = [];
    let most = 0;
    let removed = 0;
    for (let day = 0; day < 365; day++) {
      const now = new Date(START + day * DAY);
      const minor = Math.floor(day / 30);
      const release = async (of: number) => {
        const patch = releases.filter((each) => each.minor === of).length;
        const label = `1.${of}.${patch}`;
        await publish(docs, `site-${label}`, SITE, { publishedAt: now });
        releases.push({ label, minor: of, patch, on: day });
      };
      const build = `1.${minor}.0-dev.${day}`;
      await publish(docs, `site-${build}`, SITE, { publishedAt: now });
      builds.push({ label: build, minor, on: day });
      await publish(docs, `site~pr-${day}`, SITE, {
        publishedAt: now,
        expiresAt: new Date(now.getTime() + 10 * DAY),
      });
      if (day % 30 === 25 || random() < 0.1) await release(minor);
      if (minor > 0 && random() < 0.05) await release(minor - 1);
      if (day === 100) {
        await docs.changeSettings('site', (catalogue) =>
          withAlias(catalogue.settingsOf('site'), 'lts', '1.1.x'),
        );
        const last = releases.at(-1)?.label ?? assert.fail();
        await docs.changeSettings('site', (catalogue) =>
          withAlias(catalogue.settingsOf('site'), 'trusted', last),
        );
      }
      for await (const _ of use.execute(now)) removed += 1;
      for await (const _ of expire.execute(now));

      const labels =
        docs
          .catalogue()
          .project('site')
          ?.versions.map(({ label }) => label) ?? [];
      for (const { label, minor, patch } of releases) {
        const newer = releases.filter((each) => each.minor === minor && each.patch > patch).length;
        if (newer < 3) assert.ok(labels.includes(label), `day ${day}: ${label}`);
      }
      for (const { label, minor, on } of builds.slice(-10)) {
        const final = releases.find((each) => each.minor === minor);
        const isOutlived = final !== undefined && Math.max(final.on, on) + 14 <= day;
        if (!isOutlived) assert.ok(labels.includes(label), `day ${day}: ${label}`);
      }
      for (const { alias, version } of docs.catalogue().project('site')?.aliases ?? []) {
        assert.ok(version !== undefined, `day ${day}: ${alias}`);
      }
      // 3 of each of 13 minors at most, the one with an alias, 10 builds, 10 previews.
      most = Math.max(most, labels.length - 3 * (minor + 1));
      assert.ok(docs.catalogue().previews.of('site').length <= 10);
    }
    assert.ok(releases.length > 40, String(releases.length));
    assert.ok(removed > 350, String(removed));
    assert.ok(most <= 11, String(most));
    await docs.close();
    const left = [...docs.catalogue().all()].length;
    assert.equal((await readdir(join(directory, '.lectern/sites'))).length, left);
    for (const place of ['removed', 'trash', 'incoming', 'locks']) {
      assert.deepEqual(await readdir(join(directory, '.lectern', place)), [], place);
    }
  });
});
