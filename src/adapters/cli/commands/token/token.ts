import type { CAC } from 'cac';
import { randomSecret, sha256Of } from '../../../../application/tokens/secret.js';
import { expiresSoon, parseExpiry, visible } from '../../../../domain/index.js';
import { EXIT } from '../../exit-codes.js';
import { textFlag } from '../../options/option-reader.js';
import { StartError } from '../../start-error.js';
import { printTable, type Terminal, terminalOf } from '../../terminal.js';
import { UsageError } from '../../usage.js';
import { withServerOptions } from '../server-options.js';
import { newTokenOf } from './new-token.js';
import { rightsOf } from './token-rights.js';
import type { ListedToken, Tokens, TokensFile } from './tokens.js';

type Flags = Readonly<Record<string, unknown>>;

const NEEDS_PACKAGE =
  'this file is only the client; --tokens takes the whole program, on the machine with the tokens file';

const ACTIONS = ['add', 'list', 'revoke'] as const;

const COUNTS_WHEN = 'A server counts this after its restart, or within two seconds with --reload-tokens';

/**
 * Adds `lectern token` to the command line.
 * @param fileAt opens a tokens file; undefined in the client's file
 */
export function addTokenCommand(
  cli: CAC,
  env: NodeJS.ProcessEnv,
  fileAt: ((path: string) => Promise<TokensFile>) | undefined,
  exitWith: (code: number) => void,
): void {
  const placeOf = async (flags: Flags): Promise<Tokens> => {
    const path = textFlag(flags, 'tokens');
    if (path === undefined) {
      const { callOf, serverTokens } = await import('../client-actions.js');
      const { client } = await callOf(flags, env);
      client.assertToken();
      return serverTokens(client);
    }
    if (fileAt === undefined) throw new StartError(NEEDS_PACKAGE);
    return fileTokens(await fileAt(path));
  };
  const command = cli
    .command('token [action] [name]', 'Print a strong random secret, or add, list and revoke tokens')
    .usage(
      'token [--hash]\n  $ lectern token add <name> --project <name> [options]\n  $ lectern token list\n  $ lectern token revoke <name>\n\nWith --tokens <file>, they work on a tokens file on this machine; without it, on the tokens that your token makes on a server',
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
    .option('--allow-tokens', 'It may make others with a part of its rights; with --tokens only')
    .option('--expires <date>', 'Its end: 2027-06-30, or a time such as 2027-06-30T12:00:00Z')
    .option('--description <text>', 'A note for people')
    .option('--json', 'List as JSON');
  withServerOptions(command)
    .example(
      '  $ lectern token add ci-widgets --project widgets --expires 2027-06-30\n  $ lectern token add team-a --tokens data/tokens.json --project widgets --allow-tokens',
    )
    .action(async (given: string | undefined, name: string | undefined, flags: Flags) => {
      const terminal = terminalOf(env);
      if (given === undefined) {
        await printSecret(flags, terminal);
        return;
      }
      const action = ACTIONS.find((each) => each === given);
      if (action === undefined)
        throw new UsageError(`unknown action '${given}'; there are ${ACTIONS.join(', ')}`);
      if (action !== 'list' && name === undefined) throw new UsageError(`token ${action} needs <name>`);
      exitWith(await run(action, name ?? '', await placeOf(flags), flags, terminal));
    });
}

function fileTokens(file: TokensFile): Tokens {
  return {
    list: () => file.list(),
    add: async (name, token) => {
      const secret = randomSecret();
      await file.add(name, token, await sha256Of(secret));
      return {
        secret,
        note: `This is the secret of '${name}'; the file has its SHA-256 only. ${COUNTS_WHEN}`,
      };
    },
    revoke: async (name) => {
      await file.revoke(name);
      return `Token '${name}' is taken out. ${COUNTS_WHEN}`;
    },
  };
}

async function printSecret(flags: Flags, { out }: Terminal): Promise<void> {
  const secret = randomSecret();
  out.write(`${secret}\n${flags.hash === true ? `${await sha256Of(secret)}\n` : ''}`);
}

async function run(
  action: (typeof ACTIONS)[number],
  name: string,
  tokens: Tokens,
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  if (action === 'list') return listTokens(await tokens.list(), flags, terminal);
  if (action === 'revoke') {
    terminal.notes.write(`${visible(await tokens.revoke(name))}\n`);
    return EXIT.done;
  }
  const token = newTokenOf(flags);
  const { secret, note } = await tokens.add(name, token);
  terminal.out.write(`${secret}\n`);
  terminal.notes.write(`${visible(note)}\n`);
  const end = parseExpiry(token.expires ?? '');
  if (end !== undefined && end <= new Date()) {
    terminal.notes.write(`It can't be used: it expired on ${end.toISOString()}\n`);
  }
  return EXIT.done;
}

function listTokens(tokens: readonly ListedToken[], flags: Flags, { out, notes }: Terminal): number {
  if (flags.json === true) {
    out.write(`${JSON.stringify({ tokens }, null, 2)}\n`);
    return EXIT.done;
  }
  const rows = tokens.map((token) => {
    const parts = [rightsOf(token), ...endOf(token, new Date()), token.description ?? ''];
    return [token.name, parts.join('  ')];
  });
  printTable(out, rows);
  if (tokens.length === 0) notes.write('There are no tokens\n');
  return EXIT.done;
}

function endOf({ expires }: ListedToken, now: Date): readonly string[] {
  if (expires === undefined) return [];
  const end = new Date(expires);
  if (end <= now) return [`expired on ${expires}`];
  return [`until ${expires}${expiresSoon(end, now) ? ': soon' : ''}`];
}
