import { appendFile, stat, writeFile } from 'node:fs/promises';
import {
  counted,
  describeName,
  isPreview,
  LIFETIME_RULE,
  parseLifetime,
  sizeOf,
  type VersionId,
  visible,
  warningText,
} from '../../../../domain/index.js';
import {
  ArchiveFile,
  ClientError,
  type LecternClient,
  type PackedSite,
  type Pushed,
  packSite,
  sourceOfCiJob,
  type Warning,
} from '../../client/index.js';
import { describeLinks, MAX_NAMED } from '../../client/packing/site-directory.js';
import { textFlag } from '../../options/option-reader.js';
import { EXIT, naming, StartError } from '../../start-error.js';
import { canAsk, confirm, Progress, type Terminal } from '../../terminal.js';
import type { Call } from '../client-call.js';
import { brokenLinksTo } from './broken-links.js';
import { identify, refuseTar } from './identify.js';

/** Runs `lectern push` for a directory or an archive. Writes only the address of the site to stdout. */
export async function push(path: string, call: Call): Promise<number> {
  const { client, flags, terminal, env } = call;
  const say = (sentence: string) => terminal.notes.write(`${visible(sentence)}\n`);
  const given = {
    project: textFlag(flags, 'project'),
    version: textFlag(flags, 'version'),
    preview: textFlag(flags, 'preview'),
  };
  const expires = textFlag(flags, 'expires');
  const dryRun = flags.dryRun === true;
  const strict = flags.strict === true;
  const strictLinks = flags.strictLinks === true;
  const warn = (warning: Warning) => say(`warning: ${warningText(warning)}`);
  const skipExisting = flags.skipExisting === true;
  if (skipExisting && flags.replace === true) {
    throw new StartError('give --skip-existing or --replace, not both');
  }
  const stats = await naming(path, stat(path));
  const isArchive = !stats.isDirectory();
  if (isArchive) refuseTar(path, given);
  const { id, sentence } = await identify(path, given, { isArchive, env });
  assertLifetime(id, expires);
  say(sentence);
  const comment = new CommentFile(dryRun ? undefined : textFlag(flags, 'comment'));
  const isThere = async () => {
    say(`${describeName(id)} already exists; nothing was changed`);
    const url = client.siteUrl(id.directoryName);
    terminal.out.write(`${url}\n`);
    await comment.write(describeName(id), url);
    return EXIT.done;
  };
  client.assertToken();
  await comment.create();
  // Each push of a preview replaces it.
  const exists = flags.replace !== true && !isPreview(id) && (await client.has(id));
  if (exists && skipExisting) return isThere();
  if (dryRun) await client.rehearse(id, { expires });
  if (exists && !(await mayReplace(id, call))) {
    say('Nothing was published');
    return EXIT.refused;
  }
  const { archive, skippedLinks } = isArchive
    ? { archive: await ArchiveFile.open(path), skippedLinks: [] }
    : await pack(path, terminal);
  try {
    if (skippedLinks.length > 0) {
      warn(linksWarning(skippedLinks, flags.verbose === true));
      if (strict) {
        say(`${describeName(id)} was not published, since the upload is strict; nothing was changed`);
        return EXIT.warnings;
      }
    }
    if (dryRun) {
      const instead = !isPreview(id) && (await client.has(id)) ? ', replacing the existing version' : '';
      say(
        `Nothing was published. ${client.url} would accept ${describeName(id)}${instead}. The archive (${sizeOf(archive.size)}) is checked only when it is uploaded`,
      );
      return EXIT.done;
    }
    const progress = new Progress(terminal, `uploading to ${client.url}`);
    const { message, url, warnings, links } = await client
      .push(id, archive, {
        expires,
        strict,
        strictLinks,
        source: sourceOfCiJob(env),
        onSent: (sent) => progress.show(sent, archive.size),
      })
      .finally(() => progress.end());
    say(message);
    for (const warning of warnings) warn(warning);
    if (strictLinks && links === undefined) say('warning: the server did not check links');
    for (const sentence of deadLinksIn(links)) say(sentence);
    terminal.out.write(`${visible(url)}\n`);
    const [changes, brokenHere] = await Promise.all([changesSince(id, client), brokenLinksTo(id, client)]);
    if (changes !== undefined) say(sentenceOf(changes));
    for (const sentence of brokenHere) say(sentence);
    await comment.write(describeName(id), url, changes);
    return EXIT.done;
  } catch (error) {
    // Another job published it first; or the version exists in another spelling only, and `has` is false.
    const isTaken = error instanceof ClientError && error.code === 'version_exists';
    if (skipExisting && isTaken && (await client.has(id))) return isThere();
    if (error instanceof ClientError) for (const warning of error.warnings) warn(warning);
    throw error;
  } finally {
    await archive.close();
  }
}

/** Lines on the dead links of what was published. */
function deadLinksIn(links: Pushed['links']): readonly string[] {
  if (links === undefined || links.dead === 0) return [];
  const first = links.first.map(({ page, link }) => `  ${page}: ${link}`);
  return [`${counted(links.dead, 'dead link')}, ${links.new} of them new`, ...first];
}

/** @throws StartError for an invalid lifetime, and for a lifetime of a version that is no preview */
function assertLifetime(id: VersionId, expires: string | undefined): void {
  if (expires === undefined) return;
  if (!isPreview(id)) throw new StartError('--expires is for previews: add --preview <name>');
  if (parseLifetime(expires) === undefined) {
    throw new StartError(`--expires: expected ${LIFETIME_RULE}, not '${expires}'`);
  }
}

/**
 * Asks on a terminal whether an existing version is replaced; a dry run would ask.
 * @throws ClientError where nobody can be asked
 */
async function mayReplace(id: VersionId, { client, flags, terminal }: Call): Promise<boolean> {
  const name = `${id.project} ${id.label}`;
  if (!canAsk(terminal)) {
    throw new ClientError(
      'refused',
      `${name} already exists; add --replace to replace it, or --skip-existing to keep it`,
      { code: 'version_exists' },
    );
  }
  if (flags.dryRun === true) return true;
  return confirm(`${name} already exists at ${client.siteUrl(id.directoryName)}. Replace it?`);
}

function linksWarning(skipped: readonly string[], namesAll: boolean): Warning {
  const max = namesAll ? skipped.length : MAX_NAMED;
  const others = skipped.length > max ? '; add --verbose to list all' : '';
  return {
    message: `skipped ${describeLinks(skipped, max)}${others}`,
    fix: 'Replace the links with the files they point to, as cp -rL does',
  };
}

async function pack(directory: string, terminal: Terminal): Promise<PackedSite> {
  const progress = new Progress(terminal, `packing ${directory}`);
  const packed = await packSite(directory, {
    onProgress: (done, total) => progress.show(done, total),
  }).finally(() => progress.end());
  const { archive, files, leftOut } = packed;
  for (const sentence of leftOut) terminal.notes.write(`skipped: ${visible(sentence)}\n`);
  terminal.notes.write(`packed ${counted(files, 'file')} into ${sizeOf(archive.size)}\n`);
  return packed;
}

/** The comparison of what was published with a version before it. */
interface ChangesSince {
  /** Label of the version before. */
  readonly before: string;
  /** Numbers of pages in words, or that the server still compares. */
  readonly counts: string;
  /** Address of the comparison. */
  readonly url: string;
}

/**
 * Returns what changed since the version before; undefined when there is none, or the server does not compare. Never
 * throws because of the server: the version is published, whatever comes of this.
 */
async function changesSince(id: VersionId, client: LecternClient): Promise<ChangesSince | undefined> {
  try {
    const before = await client.versionBefore(id);
    if (before === undefined) return undefined;
    const compared = await client.changes(id, before).catch((error: unknown) => {
      // Other servers have no comparisons; this one may need longer than the client waits.
      if (error instanceof ClientError && error.problem === 'unreachable') return undefined;
      throw error;
    });
    const counts = compared === undefined ? 'pages are still being compared' : countsOf(compared);
    return { before, counts, url: client.changesUrl(id, before) };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return undefined;
  }
}

/** Returns the changes as one line for people. */
function sentenceOf({ before, counts, url }: ChangesSince): string {
  return `since ${before}: ${counts}; see ${url}`;
}

/** The file of `--comment`. Without a path, nothing is written. */
class CommentFile {
  constructor(private readonly path: string | undefined) {}

  /** Creates the file if need be, so that nothing is published when it cannot be written. @throws StartError */
  async create(): Promise<void> {
    await this.put(appendFile, '');
  }

  /** Replaces what is in the file. @throws StartError */
  async write(name: string, address: string, changes?: ChangesSince): Promise<void> {
    await this.put(writeFile, commentOn(name, address, changes));
  }

  private async put(write: (path: string, text: string) => Promise<void>, text: string): Promise<void> {
    const { path } = this;
    if (path === undefined) return;
    await naming(path, write(path, text));
  }
}

/**
 * Returns Markdown for a comment on a pull request: the address of what was published, and what changed. Names stand in code
 * spans, where neither Markdown nor mentions such as `@everyone` work, and addresses in angle brackets.
 * @param name what was published, such as `widgets~pr-7`
 */
export function commentOn(name: string, address: string, changes?: ChangesSince): string {
  const published = `Documentation of ${code(name)}: <${href(address)}>\n`;
  if (changes === undefined) return published;
  const { before, counts, url } = changes;
  return `${published}\nSince ${code(before)}: ${counts}. [See what changed](<${href(url)}>)\n`;
}

function countsOf({
  changed_count: changed,
  added_count: added,
  removed_count: removed,
}: Awaited<ReturnType<LecternClient['changes']>>): string {
  return `${counted(changed, 'page')} changed, ${added} added, ${removed} removed`;
}

/** A code span. No name has a backtick, unless a server makes one up. */
function code(text: string): string {
  return `\`${visible(text).replaceAll('`', "'")}\``;
}

/** The address with `<`, `>` and spaces percent-encoded, so that it ends where it should. */
function href(address: string): string {
  return new URL(address).href;
}
