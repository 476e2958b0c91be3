import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { AccessPolicy } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { RULES } from '../support/private-projects.js';
import { until } from '../support/until.js';
import { keysOf, openNode } from './support.js';

const PRIVACY = new AccessPolicy(RULES, '1').ofNobody;

describe('An object store with private projects', () => {
  const started = async (t: TestContext) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket);
    await publish(store, 'vault-1.0', { 'index.html': 'secret' });
    return { bucket, store };
  };

  it('is marked by one commit, however many nodes start with rules', async (t) => {
    const { bucket } = await started(t);
    await Promise.all([1, 2, 3].map(() => openNode(t, bucket, { privacy: PRIVACY })));
    assert.equal(keysOf(bucket, 'log/').length, 2);
    await openNode(t, bucket, { privacy: PRIVACY });
    assert.equal(keysOf(bucket, 'log/').length, 2);
  });

  it('is refused by a node that lacks rules, and nothing is changed', async (t) => {
    const { bucket } = await started(t);
    await openNode(t, bucket, { privacy: PRIVACY });
    const before = keysOf(bucket, '');
    await assert.rejects(openNode(t, bucket), /projects in it are private: start with --access/);
    assert.deepEqual(keysOf(bucket, ''), before);
    const { store } = await openNode(t, bucket, { privacy: 'unserved' });
    assert.equal(store.catalogue().projects.length, 1);
  });

  it('is marked in snapshots as well', async () => {
    const client = new MemoryObjectClient(new Map());
    const snapshots = new Snapshots(client);
    const state = await snapshots.read();
    assert.equal(state.hasPrivate, false);
    state.apply({
      format: 1,
      nonce: 'a',
      previous: '',
      at: new Date().toISOString(),
      change: { kind: 'privacy', isOn: true },
    });
    await snapshots.write(state);
    assert.equal((await snapshots.read()).hasPrivate, true);
  });

  it('becomes unavailable to a running node that lacks rules', async (t) => {
    const { bucket, store } = await started(t);
    assert.equal(store.catalogue().projects.length, 1);
    await openNode(t, bucket, { privacy: PRIVACY });
    await until(() => {
      try {
        store.catalogue();
        return false;
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'unavailable');
        return true;
      }
    });
  });

  it('becomes public again on request', async (t) => {
    const { bucket } = await started(t);
    await openNode(t, bucket, { privacy: PRIVACY });
    await openNode(t, bucket, { privacy: 'ended' });
    const { store } = await openNode(t, bucket);
    assert.equal(store.catalogue().projects.length, 1);
    assert.equal(keysOf(bucket, 'log/').length, 3);
  });

  it('is not created by a read-only node', async (t) => {
    const { bucket } = await started(t);
    await assert.rejects(
      openNode(t, bucket, { privacy: PRIVACY, isReadOnly: true }),
      /start one with --tokens once/,
    );
    assert.equal(keysOf(bucket, 'log/').length, 1);
    await openNode(t, bucket, { privacy: PRIVACY });
    await openNode(t, bucket, { privacy: PRIVACY, isReadOnly: true });
  });
});
