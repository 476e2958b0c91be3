import { fork } from 'node:child_process';
import type { BuiltIndex, SearchableSite, SitePage } from '../../../application/index.js';
import { type Outcome, resultOf } from '../../../node/background/outcome.js';
import { nodeOptions, programBeside } from '../../../node/background/program.js';
import type { FromBuilder, ToBuilder } from './build-program.js';

/** Bytes of pages that are sent at a time. */
const BATCH_BYTES = 500_000;
/** Mebibytes of the process's heap. What SQLite and the pages take comes on top of it. */
const HEAP_MIB = 128;

/**
 * Writes the database of a site into a new file, in a process of low priority that ends afterwards. This process reads the
 * pages, wherever they are, and sends as many as the other one asks for.
 * @throws what `site` throws; the reason of `signal`; Error when the process fails
 */
export async function buildInProcess(
  file: string,
  site: SearchableSite,
  signal?: AbortSignal,
): Promise<BuiltIndex> {
  signal?.throwIfAborted();
  const child = fork(programBeside(import.meta.url, './build-program'), [file], {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...nodeOptions()],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const abort = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', abort, { once: true });
  const sources = {
    sample: site.sample()[Symbol.asyncIterator](),
    pages: site.pages()[Symbol.asyncIterator](),
  };
  try {
    const outcome = await new Promise<Outcome<BuiltIndex>>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killed) => {
        reject(new Error(`the process that indexes ended with ${killed ?? code}: ${said.trim()}`));
      });
      child.on('message', (message: FromBuilder) => {
        if (!('wants' in message)) resolve(message);
        else {
          batchOf(sources[message.wants]).then((pages) => {
            if (child.connected) child.send({ pages } satisfies ToBuilder);
          }, reject);
        }
      });
    });
    return resultOf(outcome);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    child.kill('SIGKILL');
    // Not awaited: a page that is being read may take long, and nobody waits for it.
    for (const source of Object.values(sources)) source.return?.().catch(() => {});
  }
}

/** The next pages. None: there are no more. */
async function batchOf(source: AsyncIterator<SitePage>): Promise<SitePage[]> {
  const pages: SitePage[] = [];
  for (let bytes = 0; bytes < BATCH_BYTES; ) {
    const { done, value } = await source.next();
    if (done) break;
    pages.push(value);
    bytes += value.bytes.length;
  }
  return pages;
}
