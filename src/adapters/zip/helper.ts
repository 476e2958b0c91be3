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

/** The other thread, as seen by the one that leads: it may be there at once, come late, or not at all. */
export class Helper {
  private failure: Failure | undefined;
  private readonly hasLeft: Promise<void>;

  constructor(private readonly port: MessagePort) {
    port.on('message', (failure: Failure) => {
      this.failure = failure;
    });
    this.hasLeft = new Promise((resolve) => port.once('close', resolve));
  }

  offer(plan: Plan): void {
    this.port.postMessage(plan);
  }

  /** Resolves once it touches nothing any more, or never will; gives the error that it ended with, if any. */
  async left(): Promise<Error | undefined> {
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
  try {
    const plan = await planFrom(port);
    if (plan !== undefined) await takePart(plan, new SharedWork(memory));
  } catch (error) {
    port.postMessage(failureOf(error));
  } finally {
    port.close();
  }
}

/** Undefined when nobody needs help. */
function planFrom(port: MessagePort): Promise<Plan | undefined> {
  return new Promise((resolve) => {
    port.once('message', resolve);
    port.once('close', () => resolve(undefined));
  });
}

async function takePart({ archiveFile, unpacking }: Plan, work: SharedWork): Promise<void> {
  const archive = new ArchiveReader(archiveFile);
  try {
    await writeEntries(archive, unpacking, { work, side: 'back' });
  } finally {
    archive.closeFile();
  }
}
