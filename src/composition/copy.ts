import { join } from 'node:path';
import { type CopyRequest, StartError } from '../adapters/cli/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { type Audit, Changes, type CopyStep, copyVersions, type Privacy } from '../application/index.js';
import { recording } from './audit-log.js';
import { interruptible, type Workplace } from './interruptible.js';
import { type EnginePlace, type OpenStorage, placeOnce, warn } from './storage.js';

/** `lectern copy`: copies all versions of one docs directory or object store to another. */
export function copy(request: CopyRequest): AsyncIterable<CopyStep> {
  const work = async function* ({ directory, signal }: Workplace, audit: Audit) {
    const from = placeOnce(request.from, join(directory, 'from'));
    const to = placeOnce(request.to, join(directory, 'to'));
    await assertApart(from, to);
    const archives = new ZipArchives(readYamlDocinfo);
    signal.addEventListener('abort', () => archives.giveUp());
    const opened: OpenStorage[] = [];
    const open = async (place: EnginePlace, isReadOnly: boolean, privacy: Privacy) => {
      const store = await place.open({ archives, isReadOnly, privacy, report: warn });
      opened.push(store);
      // Otherwise the copy would be incomplete, and the exit code would not say so.
      if (store.objects?.doubt !== undefined) {
        throw new StartError('versions are missing in the log of the object store, so nothing was copied');
      }
      return store;
    };
    try {
      // A source is never created.
      await from.assertThere();
      const source = await open(from, true, 'unserved');
      if (source.docs.catalogue().projects.length === 0)
        throw new StartError(`${from.description} contains no versions`);
      // The target is marked before the first project is there: nobody ever serves it without rules.
      const privacy = (await source.mark?.hasPrivate()) ? 'filled' : 'unserved';
      const { docs } = await open(to, false, privacy);
      const target = { docs, changes: new Changes(docs, audit) };
      yield* copyVersions(source.docs, target, { archives, signal });
    } finally {
      for (const { docs } of opened) await docs.close();
      await archives.close();
    }
  };
  return interruptible((place) => recording(request.auditLog, (audit) => work(place, audit)));
}

/** @throws StartError when both are one place, or one lies in the other */
async function assertApart(from: EnginePlace, to: EnginePlace): Promise<void> {
  const [one, other] = [await from.whereabouts(), await to.whereabouts()];
  if (one === undefined || one.root !== other?.root) return;
  if (one.path === other.path) throw new StartError(`--from and --to are the same ${from.kind}`);
  if (one.path.startsWith(other.path) || other.path.startsWith(one.path)) {
    throw new StartError('--from and --to overlap: neither prefix may begin with the other');
  }
}
