import { stat } from 'node:fs/promises';
import { type Archive, type ClientTools, type DocsClient, isClientFailure } from './docs-client.js';
import { EXIT } from './exit-codes.js';
import { identify } from './identify.js';
import { startError } from './start-error.js';
import { bytes, Progress, type Terminal, visible } from './terminal.js';

export interface PushRequest {
  /** A directory or an archive. */
  readonly path: string;
  readonly project: string | undefined;
  readonly version: string | undefined;
  readonly dryRun: boolean;
  readonly skipExisting: boolean;
  /** Directory to guess project and version from. */
  readonly directory: string;
}

/** Runs `lectern push`. Writes only the address of the site to stdout. */
export async function push(
  request: PushRequest,
  client: DocsClient,
  tools: ClientTools,
  terminal: Terminal,
): Promise<number> {
  const say = (sentence: string) => terminal.notes.write(`${visible(sentence)}\n`);
  const { path, skipExisting, dryRun } = request;
  const stats = await stat(path).catch((error: unknown) => {
    throw startError(path, error);
  });
  const isArchive = !stats.isDirectory();
  const { id, sentence } = await identify(path, request, {
    guess: tools.guess,
    directory: request.directory,
    isArchive,
  });
  say(sentence);
  const isThere = () => {
    say(`${id.project} ${id.label} is there already; nothing was changed`);
    terminal.out.write(`${client.siteUrl(id.directoryName)}\n`);
    return EXIT.done;
  };
  if (skipExisting && (await client.has(id))) return isThere();
  if (dryRun) await client.rehearse(id);
  const archive = isArchive ? await tools.openArchive(path) : await pack(path, tools, terminal);
  try {
    if (dryRun) {
      const instead = (await client.has(id)) ? ', in place of the version that is there' : '';
      say(
        `Nothing was published. ${client.url} would take ${id.project} ${id.label}${instead}, as far as it can say without the ${bytes(archive.size)}`,
      );
      return EXIT.done;
    }
    const progress = new Progress(terminal, `sending to ${client.url}`);
    const { message, url } = await client
      .push(id, archive, (sent) => progress.show(sent, archive.size))
      .finally(() => progress.end());
    say(message);
    terminal.out.write(`${visible(url)}\n`);
    return EXIT.done;
  } catch (error) {
    // Another job published it first; or the version exists in another spelling only, and `has` is false.
    const isTaken = isClientFailure(error) && error.code === 'version_exists';
    if (skipExisting && isTaken && (await client.has(id))) return isThere();
    throw error;
  } finally {
    await archive.close();
  }
}

async function pack(directory: string, tools: ClientTools, terminal: Terminal): Promise<Archive> {
  const progress = new Progress(terminal, `packing ${directory}`);
  const { archive, files, leftOut } = await tools
    .packSite(directory, { onProgress: (done, total) => progress.show(done, total) })
    .finally(() => progress.end());
  for (const sentence of leftOut) terminal.notes.write(`left out: ${visible(sentence)}\n`);
  const count = files === 1 ? '1 file' : `${files} files`;
  terminal.notes.write(`packed ${count} into ${bytes(archive.size)}\n`);
  return archive;
}
