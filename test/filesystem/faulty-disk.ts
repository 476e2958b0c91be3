import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import type { Archives } from '../../src/application/index.js';

/** The world has stopped: nothing reaches the disk any more. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** Fault at one call: the world stops before, in the middle of, or after it; or the call alone fails. */
export type Fault = 'before' | 'half' | 'after' | 'ENOSPC' | 'EIO' | 'EACCES';

type Call = () => Promise<unknown>;
type Open = typeof nodeDisk.open;

/** A disk, with archives on it, that has a given fault at its nth call that changes something. */
export class FaultyDisk {
  /** The names of the calls since `arm`. */
  calls: string[] = [];
  /** Paths that were synced, renamed to, linked or unlinked, each behind its call, in order. */
  journal: string[] = [];
  private fault: Fault | undefined;
  private at = Number.POSITIVE_INFINITY;
  private isStopped = false;
  private readonly handles = new Set<{ close(): Promise<void> }>();

  readonly disk: Disk;

  constructor() {
    const names = ['link', 'lutimes', 'mkdir', 'rename', 'rmdir', 'symlink', 'unlink'] as const;
    const plain = names.map((name) => [
      name,
      async (...args: never[]) => {
        const result = this.step(name, () =>
          (nodeDisk[name] as (...args: never[]) => Promise<unknown>)(...args),
        );
        if (name !== 'rename' && name !== 'symlink' && name !== 'unlink') return result;
        return result.then(() => this.journal.push(`${name} ${args.at(-1)}`));
      },
    ]);
    this.disk = {
      ...(Object.fromEntries(plain) as Omit<Disk, 'open' | 'rm'>),
      rm: (path, options) =>
        this.step(
          'rm',
          () => nodeDisk.rm(path, options),
          () => removeHalf(String(path)),
        ) as Promise<void>,
      open: (...args: Parameters<Open>) => this.open(...args),
    } as Disk;
  }

  /** Counts anew, and lets the fault happen at call number `at`, from 1. */
  arm(at = Number.POSITIVE_INFINITY, fault?: Fault): void {
    this.calls = [];
    this.at = at;
    this.fault = fault;
  }

  /** Archives whose work counts as a call each. */
  archives(real: Archives): Archives {
    return {
      unpack: (request) =>
        this.step(
          'unpack',
          () => real.unpack(request),
          () => real.unpack(request).then(() => removeHalf(request.siteDirectory)),
        ) as ReturnType<Archives['unpack']>,
      pack: (site, file) =>
        this.step(
          'pack',
          () => real.pack(site, file),
          () => real.pack(site, file).then(() => shorten(file)),
        ) as Promise<void>,
      index: (...args) => real.index(...args),
      verify: (...args) => real.verify(...args),
      close: () => real.close(),
    };
  }

  /** Stops every call from now on and closes all files, as the end of the process does. */
  async end(): Promise<void> {
    this.isStopped = true;
    for (const handle of this.handles) await handle.close().catch(() => {});
  }

  private async step(name: string, call: Call, half?: Call): Promise<unknown> {
    if (this.isStopped) throw new Crash(name);
    this.calls.push(name);
    if (this.calls.length !== this.at || this.fault === undefined) return call();
    if (this.fault.startsWith('E')) {
      throw Object.assign(new Error(`${this.fault}: made up, ${name}`), { code: this.fault, syscall: name });
    }
    if (this.fault === 'after') await call().catch(() => {});
    if (this.fault === 'half') await (half ?? call)().catch(() => {});
    this.isStopped = true;
    throw new Crash(name);
  }

  private async open(...args: Parameters<Open>): ReturnType<Open> {
    const opening = async () => {
      const opened = await nodeDisk.open(...args);
      this.handles.add(opened);
      return opened;
    };
    const handle = (await this.step('open', opening)) as Awaited<ReturnType<Open>>;
    const methods = {
      sync: async () => {
        await this.step('sync', () => handle.sync());
        this.journal.push(`sync ${args[0]}`);
      },
      close: () => {
        // A process that fails to close a file has closed it all the same (close(2)).
        this.handles.delete(handle);
        return this.step('close', () => handle.close()).catch(async (error) => {
          await handle.close();
          throw error;
        });
      },
      writeFile: (data: string | Uint8Array) =>
        this.step(
          'write',
          () => handle.writeFile(data),
          () => handle.writeFile(data.slice(0, data.length / 2)),
        ),
    };
    return new Proxy(handle, {
      get: (target, key) => {
        if (key in methods) return methods[key as keyof typeof methods];
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}

/** Removes half of a directory, as an interrupted removal does. */
async function removeHalf(path: string): Promise<void> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return;
  const names = (await readdir(path)).sort();
  for (const name of names.slice(0, Math.ceil(names.length / 2)))
    await rm(join(path, name), { recursive: true });
}

async function shorten(file: string): Promise<void> {
  await truncate(file, Math.floor((await stat(file)).size / 2));
}
