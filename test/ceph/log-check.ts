import assert from 'node:assert/strict';
import type { S3ObjectClient } from '../../src/adapters/object-store/client/s3-object-client.js';
import type { Commit } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import type { Attempt } from './clients.js';

/** All commits of a log. Fails if there is a gap, or a commit too many. */
export async function readLog(client: S3ObjectClient): Promise<readonly Commit[]> {
  const log = new CommitLog(client);
  const numbers: number[] = [];
  for await (const { key } of client.list('log/')) numbers.push(10 ** 12 - Number(key.slice('log/'.length)));
  numbers.reverse();
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
    'the log has a gap',
  );
  const commits: Commit[] = [];
  for (let at = 0; at < numbers.length; at += 32) {
    const some = await Promise.all(numbers.slice(at, at + 32).map((number) => log.read(number)));
    for (const commit of some) {
      assert.ok(commit !== undefined);
      commits.push(commit);
    }
  }
  return commits;
}

/** The published version with its revision, by `project-version`; fails where a commit does not follow from those before. */
export function replay(
  commits: readonly Commit[],
): ReadonlyMap<string, { revision: string; sha256: string }> {
  const published = new Map<string, { revision: string; sha256: string }>();
  const nonces = new Set<string>();
  for (const [index, { change, nonce }] of commits.entries()) {
    const what = `commit ${index + 1}: ${JSON.stringify(change)}`;
    assert.equal(nonces.has(nonce), false, what);
    nonces.add(nonce);
    if (change.kind === 'publish') {
      const { project, version, revision, archive } = change.record;
      const name = `${project}-${version}`;
      assert.equal(change.replaces, published.get(name)?.revision, what);
      published.set(name, { revision, sha256: archive.sha256 });
    } else if (change.kind === 'remove') {
      const name = `${change.project}-${change.version}`;
      assert.equal(change.revision, published.get(name)?.revision, what);
      published.delete(name);
    }
  }
  return published;
}

/**
 * Checks that the log holds what clients were told: each change that was acknowledged, once, and none that was refused;
 * those that followed one another in the same order.
 */
export function assertHolds(commits: readonly Commit[], attempts: readonly Attempt[]): void {
  const numbers = new Map<string, number>();
  for (const [index, { change }] of commits.entries()) {
    if (change.kind !== 'publish') continue;
    const { sha256 } = change.record.archive;
    assert.equal(numbers.has(sha256), false, `commit ${index + 1} publishes an upload again`);
    numbers.set(sha256, index + 1);
  }
  const published = attempts.filter(({ kind }) => kind === 'publish');
  for (const { sha256, outcome, project, version } of published) {
    const isThere = numbers.has(sha256);
    if (outcome === 'done') assert.ok(isThere, `an acknowledged upload of ${project}-${version} is lost`);
    if (outcome === 'refused') assert.ok(!isThere, `a refused upload of ${project}-${version} is published`);
  }
  const known = new Set(published.map(({ sha256 }) => sha256));
  for (const sha256 of numbers.keys()) assert.ok(known.has(sha256), 'a commit nobody asked for');

  const inOrder = published
    .flatMap((each) => {
      const number = numbers.get(each.sha256);
      return each.outcome === 'done' && number !== undefined ? [{ ...each, number }] : [];
    })
    .sort((a, b) => a.number - b.number);
  // Nothing that was acknowledged before an earlier commit was asked for comes later.
  let latestBegin = 0;
  for (const { began, ended, number } of inOrder) {
    assert.ok(ended > latestBegin, `commit ${number} came after one that was asked for later`);
    latestBegin = Math.max(latestBegin, began);
  }

  for (const name of new Set(attempts.map(({ project, version }) => `${project}/${version}`))) {
    const removals = attempts.filter(
      (each) => each.kind === 'remove' && `${each.project}/${each.version}` === name,
    );
    const counted = (outcome: Attempt['outcome']) =>
      removals.filter((each) => each.outcome === outcome).length;
    const committed = commits.filter(
      ({ change }) => change.kind === 'remove' && `${change.project}/${change.version}` === name,
    ).length;
    assert.ok(committed >= counted('done'), `an acknowledged removal of ${name} is lost`);
    assert.ok(
      committed <= counted('done') + counted('unknown'),
      `a removal of ${name} that nobody asked for`,
    );
  }
}
