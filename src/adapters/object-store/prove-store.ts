import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ObjectClient } from './client/object-client.js';
import { StoreUnsupported } from './client/store-errors.js';
import { PREFIXES } from './keys.js';

/** Stores that fail only now and then are found more often by the second round. */
const ROUNDS = 2;
const WRITERS = 16;

const VERSIONING = 'A bucket with versioning does that: use one without versioning, or another store.';

/**
 * Proves in the real bucket and prefix that a store creates objects only if absent, which the log needs when there are
 * several servers: one create, a second one, and a race, each twice. The objects, under `proof/`, are removed in any case;
 * a bucket with versioning keeps old versions of them.
 *
 * @returns undefined when the store has passed; otherwise a sentence that says what it did
 * @throws StoreError when the store cannot be asked, or does not let this server write, read or remove
 */
export async function proveStore(client: ObjectClient): Promise<string | undefined> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = `${PREFIXES.proofs}${randomUUID()}`;
    const keys = [`${key}-twice`, `${key}-race`] as const;
    let failure: string | undefined;
    try {
      failure = (await proveTwice(client, keys[0])) ?? (await proveRace(client, keys[1]));
    } catch (error) {
      await client.remove(keys).catch(() => {});
      if (!(error instanceof StoreUnsupported)) throw error;
      return `the store answered 501 to a PUT with If-None-Match: it cannot create an object only if absent.`;
    }
    await client.remove(keys);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function proveTwice(client: ObjectClient, key: string): Promise<string | undefined> {
  const first = randomUUID();
  // `exists` may be said of an own write whose answer was lost, so what was stored is what counts.
  await client.create(key, Buffer.from(first));
  if ((await read(client, key)) !== first)
    return 'the store did not return the object that was just created.';
  const again = await client.create(key, Buffer.from(randomUUID()));
  const stored = await read(client, key);
  if (stored !== first) {
    return `the store overwrote an object that was to be created only if absent. ${VERSIONING}`;
  }
  return again === 'exists' ? undefined : 'the store said that it created an object which exists.';
}

async function proveRace(client: ObjectClient, key: string): Promise<string | undefined> {
  const bodies = Array.from({ length: WRITERS }, () => randomUUID());
  // All of them have ended before the object is removed: none creates it afterwards.
  const ended = await Promise.allSettled(bodies.map((body) => client.create(key, Buffer.from(body))));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  const winners = bodies.filter((_, n) => (ended[n] as PromiseFulfilledResult<string>).value === 'created');
  const stored = await read(client, key);
  if (winners.length > 1) {
    return `the store let ${winners.length} of ${WRITERS} writers create one object. ${VERSIONING}`;
  }
  // No winner: the answer to the one whose body is stored was lost.
  const [winner = bodies.find((body) => body === stored)] = winners;
  return winner !== undefined && winner === stored
    ? undefined
    : 'the store did not keep the object of the writer that it let create it.';
}

async function read(client: ObjectClient, key: string): Promise<string | undefined> {
  const found = await client.get(key);
  return found && String(await buffer(found.body));
}
