import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Archives, DEFAULT_ARCHIVE_LIMITS } from '../../application/index.js';
import { directoryNameOfArchive, parseDirectoryName } from '../../domain/index.js';
import { type Disk, syncDirectory, unless, writeNewFile } from './disk.js';
import { FilesystemStaging } from './filesystem-staging.js';
import type { Generation, Layout } from './layout.js';
import { type FoundLease, findLeases, type Lease, leaseIdOf } from './lease.js';
import type { Publisher } from './publisher.js';

/** What recovery tells of; `fields` are for a structured log. */
export type Report = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/**
 * Long after this time a system has written everything that it was given: Linux does after 30 seconds
 * (vm.dirty_expire_centisecs), other systems within a few minutes.
 */
const WRITTEN_BACK_MS = 10 * 60_000;

/** A limit that an archive which was accepted once can't pass again. */
const NO_LIMITS = {
  ...DEFAULT_ARCHIVE_LIMITS,
  mostExtractedBytes: Number.MAX_SAFE_INTEGER,
  mostFiles: Number.MAX_SAFE_INTEGER,
  mostRatio: Number.MAX_SAFE_INTEGER,
};

/** Puts in order what servers that ended without `close` left behind. Others may be running meanwhile. */
export class Recovery {
  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Lease,
    private readonly publisher: Publisher,
    private readonly archives: Pick<Archives, 'unpack' | 'verify'>,
    private readonly report: Report,
  ) {}

  /** @returns whether another machine's lease may still turn out to be dead */
  async run(): Promise<boolean> {
    const others = (await findLeases(this.layout.running)).filter(({ id }) => id !== this.lease.id);
    const alive = new Set([this.lease.id, ...others.filter(({ isAlive }) => isAlive).map(({ id }) => id)]);
    const dead = others.filter(({ isAlive }) => !isAlive);
    await this.sweep(this.layout.incoming, alive);
    await this.sweep(this.layout.trash, alive);
    if (dead.length > 0) {
      this.report('the last server on this directory did not end cleanly; checking what it left', {
        leases: dead.length,
      });
      await this.returnDisplaced();
      await this.checkPublished(dead);
      await this.sweepSites(alive);
      for (const { file } of dead) await unless(['ENOENT'], this.disk.unlink(file));
    }
    return alive.size > 1;
  }

  /** Removes what was made under a lease that is not alive. */
  private async sweep(directory: string, alive: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(directory)) {
      if (alive.has(leaseIdOf(name))) continue;
      await this.disk.rm(join(directory, name), { recursive: true, force: true });
      this.report('removed what an interrupted change left behind', { name });
    }
  }

  /** A replacement of a directory put there by hand ended between its two steps: the old one comes back. */
  private async returnDisplaced(): Promise<void> {
    for (const name of await readdir(this.layout.displaced)) {
      const displaced = join(this.layout.displaced, name);
      const pointer = this.layout.pointer(name);
      if ((await unless(['ENOENT'], lstat(pointer))) === undefined) {
        await this.disk.rename(displaced, pointer);
        this.report('put back a directory whose replacement was interrupted', { version: name });
      } else await this.disk.rm(displaced, { recursive: true, force: true });
    }
  }

  /** Links that lead nowhere go; sites that a power cut may have damaged are compared with their archives. */
  private async checkPublished(dead: readonly FoundLease[]): Promise<void> {
    const suspectSince = Math.min(...dead.map(({ lastSeenMs }) => lastSeenMs)) - WRITTEN_BACK_MS;
    for (const name of await readdir(this.layout.root)) {
      const archived = directoryNameOfArchive(name);
      if (archived !== undefined) await this.publisher.unlinkArchive(archived).catch(() => {});
      const current = await this.publisher.currentGeneration(name);
      if (current === undefined) continue;
      await this.publisher.linkArchive(name);
      const generation = this.layout.generation(name, current);
      const record = await unless(['ENOENT'], stat(generation.record));
      if (record !== undefined && record.mtimeMs >= suspectSince) await this.checkSite(name, generation);
    }
    await syncDirectory(this.disk, this.layout.root);
  }

  private async checkSite(name: string, generation: Generation): Promise<void> {
    const differences = await this.archives.verify(generation.archive, generation.site, 5);
    if (differences.length === 0) return;
    this.report('a published site differs from its archive; unpacking it again', {
      version: name,
      differences,
    });
    await restore(
      {
        disk: this.disk,
        layout: this.layout,
        lease: this.lease,
        publisher: this.publisher,
        archives: this.archives,
      },
      name,
      generation,
    ).catch((error: unknown) =>
      this.report('a damaged site could not be restored from its archive', { version: name, err: error }),
    );
  }

  private async sweepSites(alive: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.layout.sites)) {
      const current = await this.publisher.currentGeneration(name);
      for (const generation of await readdir(this.layout.generations(name))) {
        const lease = leaseIdOf(generation);
        if (generation === current || (alive.has(lease) && lease !== this.lease.id)) continue;
        await this.disk.rm(this.layout.generation(name, generation).directory, {
          recursive: true,
          force: true,
        });
      }
      await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], this.disk.rmdir(this.layout.generations(name)));
    }
  }
}

/** What restoring a site needs. */
export interface Tools {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly lease: Lease;
  readonly publisher: Publisher;
  readonly archives: Pick<Archives, 'unpack'>;
}

/** Unpacks a damaged site again, into a new generation: the damaged one is never written to. */
export async function restore(tools: Tools, name: string, damaged: Generation): Promise<void> {
  const { disk, layout, lease, publisher, archives } = tools;
  const id = parseDirectoryName(name);
  if (id === undefined) return;
  const stagingName = lease.nextName();
  const directory = join(layout.incoming, stagingName);
  await disk.mkdir(directory);
  const staging = new FilesystemStaging(disk, directory, stagingName, false);
  try {
    await archives.unpack({
      archiveFile: damaged.archive,
      siteDirectory: staging.siteDirectory,
      limits: NO_LIMITS,
    });
    await disk.link(damaged.archive, staging.archiveFile);
    await writeNewFile(disk, staging.generation.record, await readFile(damaged.record, 'utf8'));
    await syncDirectory(disk, directory);
    await publisher.publish(staging, id, true);
  } catch (error) {
    await staging.discard();
    throw error;
  }
}
