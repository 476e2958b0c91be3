import type { CAC } from 'cac';
import { expiresSoon, visible } from '../../../domain/index.js';
import type { TokenInfo } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { textFlag } from '../options/client-settings.js';
import { StartError } from '../start-error.js';
import { type Terminal, terminalOf } from '../terminal.js';
import { UsageError } from '../usage.js';
import { type NewToken, newTokenOf, randomSecret, sha256Of } from './new-token.js';
import { rightsOf } from './token-rights.js';

/** A token as `lectern token list` shows it. */
export type ListedToken = TokenInfo & { readonly description?: string | undefined };

/** The tokens file on this machine. Each change is whole or not made. */
export interface TokensFile {
  list(): Promise<readonly ListedToken[]>;
  /** @throws StartError when there is such a name */
  add(name: string, token: NewToken, sha256: string): Promise<void>;
  /** @throws StartError when there is no such name */
  revoke(name: string): Promise<void>;
}

const ACTIONS = ['add', 'list', 'revoke'] as const;

const COUNTS_WHEN = 'A server counts this after its restart, or within two seconds with --reload-tokens';

/** Adds `lectern token` to the command line. */
export function addTokenCommand(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  fileAt: (path: string) => Promise<TokensFile>,
  exitWith: (code: number) => void,
): void {
  cli
    .command(
      'token [action] [name]',
      'Print a strong random secret, or change the tokens file: add, list, revoke',
    )
    .usage(
      'token [--hash]\n  $ lectern token add <name> --tokens <file> --project <name> [options]\n  $ lectern token list --tokens <file>\n  $ lectern token revoke <name> --tokens <file>',
    )
    .option('--hash', 'Print the SHA-256 of the secret for the tokens file as well')
    .option('--tokens <file>', 'The tokens file to change or to list')
    .option('--project <name>', "Project that the token may change, or 'payments-*'; repeatable")
    .option('--all-projects', 'The token may change every project')
    .option('--read <name>', 'Project that the token may read beside those; repeatable')
    .option('--allow-overwrite', 'It may replace versions')
    .option('--allow-delete', 'It may delete versions')
    .option('--allow-manage', 'It may change the settings of projects, and restore versions')
    .option('--existing-projects-only', 'It publishes to projects that exist only')
    .option('--previews-only', 'It publishes and deletes previews only')
    .option('--allow-tokens', 'It may make others with a part of its rights')
    .option('--expires <date>', 'Its end: 2027-06-30, or a time such as 2027-06-30T12:00:00Z')
    .option('--description <text>', 'A note for people')
    .option('--json', 'List as JSON')
    .example(
      '  $ lectern token add ci-widgets --tokens data/tokens.json --project widgets --expires 2027-06-30',
    )
    .action(async (given: string | undefined, name: string | undefined, flags: Record<string, unknown>) => {
      const terminal = terminalOf(env);
      if (given === undefined) {
        printSecret(flags, terminal);
        return;
      }
      const action = ACTIONS.find((each) => each === given);
      if (action === undefined)
        throw new UsageError(`unknown action '${given}'; there are ${ACTIONS.join(', ')}`);
      const path = textFlag(flags, 'tokens');
      if (path === undefined) throw new StartError('name the tokens file with --tokens <file>');
      exitWith(await run(action, name, await fileAt(path), flags, terminal));
    });
}

function printSecret(flags: Record<string, unknown>, { out }: Terminal): void {
  const secret = randomSecret();
  out.write(`${secret}\n${flags.hash === true ? `${sha256Of(secret)}\n` : ''}`);
}

async function run(
  action: (typeof ACTIONS)[number],
  name: string | undefined,
  file: TokensFile,
  flags: Record<string, unknown>,
  terminal: Terminal,
): Promise<number> {
  if (action === 'list') return listTokens(await file.list(), flags, terminal);
  if (name === undefined) throw new UsageError(`token ${action} needs <name>`);
  if (action === 'revoke') {
    await file.revoke(name);
    terminal.notes.write(`${visible(`Token '${name}' is taken out. ${COUNTS_WHEN}`)}\n`);
    return EXIT.done;
  }
  const secret = randomSecret();
  await file.add(name, newTokenOf(flags), sha256Of(secret));
  terminal.out.write(`${secret}\n`);
  terminal.notes.write(
    `${visible(`This is the secret of '${name}'; the file has its SHA-256 only. ${COUNTS_WHEN}`)}\n`,
  );
  return EXIT.done;
}

function listTokens(
  tokens: readonly ListedToken[],
  flags: Record<string, unknown>,
  { out, notes }: Terminal,
): number {
  if (flags.json === true) {
    out.write(`${JSON.stringify({ tokens }, null, 2)}\n`);
    return EXIT.done;
  }
  const width = Math.max(0, ...tokens.map(({ name }) => visible(name).length));
  for (const token of tokens) {
    const { name, description = '' } = token;
    const parts = [
      rightsOf(token),
      ...endOf(token, new Date()),
      ...(description === '' ? [] : [description]),
    ];
    out.write(`${visible(name).padEnd(width)}  ${visible(parts.join('  '))}\n`);
  }
  if (tokens.length === 0) notes.write('There are no tokens\n');
  return EXIT.done;
}

function endOf({ expires }: ListedToken, now: Date): readonly string[] {
  if (expires === undefined) return [];
  const end = new Date(expires);
  if (end <= now) return [`expired on ${expires}`];
  return [`until ${expires}${expiresSoon(end, now) ? ': soon' : ''}`];
}
