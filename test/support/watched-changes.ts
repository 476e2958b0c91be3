import type { TestContext } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { Changes } from '../../src/application/index.js';

const METHODS = ['publish', 'remove', 'restore', 'changeSettings', 'changeMadeTokens'] as const;

/** A change that went through the gate. */
export interface SeenChange {
  readonly method: (typeof METHODS)[number];
  /** As `<kind> <name>`. */
  readonly actor: string;
  readonly reason: string;
  readonly now: Date;
}

/** Notes every change of a directory or a store in memory until the test ends. */
export function watchChanges(t: TestContext) {
  /** Changes that went through `Changes`. */
  const seen: SeenChange[] = [];
  /** Methods of stores that were called, by whomever. */
  const made: string[] = [];
  for (const method of METHODS) {
    const gate: (...call: never[]) => unknown = Changes.prototype[method];
    t.mock.method(Changes.prototype, method, function (this: Changes, ...call: never[]) {
      const [{ actor, reason, now }] = call as unknown as Parameters<Changes[typeof method]>;
      seen.push({ method, actor: `${actor.kind} ${actor.name}`, reason, now });
      return gate.apply(this, call);
    });
    for (const store of [FilesystemDocStore.prototype, MemoryDocStore.prototype]) {
      const change: (...call: never[]) => unknown = store[method];
      t.mock.method(store, method, function (this: unknown, ...call: never[]) {
        made.push(method);
        return change.apply(this, call);
      });
    }
  }
  return { seen, made };
}
