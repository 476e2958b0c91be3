import type { MessagePort } from 'node:worker_threads';
import { ArchiveReader } from './archive-reader.js';
import { errorOf, type Failure, failureOf } from './failure.js';
import { SharedWork } from './shared-work.js';
import { type Unpacking, writeEntries } from './write-entries.js';

/** One end of the line between the thread that unpacks an archive and one that helps it. */
export interface Line {
  readonly port: MessagePort;
  /** Of their `SharedWork`. */
  readonly memory: SharedArrayBuffer;
}

/** What there is to do. */
interface Plan {
  readonly archiveFile: string;
  readonly unpacking: Unpacking;
}

/** A helper is told of no more than these, the last ones: it has to hold them in memory as well. */
const MOST_ENTRIES = 20_000;
/** How soon it leaves while it waits. */
const LOOK_MS = 10;

/** The other thread, as seen by the one that leads: it may be there at once, come late, or not at all. */
export class Helper {
  private isAsked = false;
  private failure: Failure | undefined;
  private readonly hasLeft: Promise<void>;

  constructor(private readonly port: MessagePort) {
    port.on('message', (failure: Failure) => {
      this.failure = failure;
    });
    this.hasLeft = new Promise((resolve) => port.once('close', resolve));
  }

  offer({ archiveFile, unpacking }: Plan): void {
    const entries = unpacking.entries.slice(-MOST_ENTRIES);
    this.port.postMessage({ archiveFile, unpacking: { ...unpacking, entries } } satisfies Plan);
    this.isAsked = true;
  }

  /** Resolves once it touches nothing any more, or never will; gives the error that it ended with, if any. */
  async left(): Promise<Error | undefined> {
    if (!this.isAsked) this.dismiss();
    await this.hasLeft;
    return this.failure && errorOf(this.failure);
  }

  /** Ends the line: whoever has not begun yet need not. */
  dismiss(): void {
    this.port.close();
  }
}

/** Helps to unpack an archive: waits for what there is to do, and does its side of it. */
export async function help({ port, memory }: Line): Promise<void> {
  const work = new SharedWork(memory);
  try {
    const plan = await planFrom(port, work);
    if (plan !== undefined) await takePart(plan, work);
  } catch (error) {
    port.postMessage(failureOf(error));
  } finally {
    port.close();
  }
}

/** Undefined when nobody needs help, or somebody else needs the thread. */
async function planFrom(port: MessagePort, work: SharedWork): Promise<Plan | undefined> {
  let look: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const giveUp = () => resolve(undefined);
      port.once('message', resolve);
      port.once('messageerror', giveUp);
      port.once('close', giveUp);
      look = setInterval(() => work.isLeft && giveUp(), LOOK_MS);
    });
  } finally {
    clearInterval(look);
  }
}

async function takePart({ archiveFile, unpacking }: Plan, work: SharedWork): Promise<void> {
  const archive = new ArchiveReader(archiveFile);
  try {
    await writeEntries(archive, unpacking, { work, side: 'back' });
  } finally {
    archive.closeFile();
  }
}
