import type { CAC } from 'cac';
import { randomSecret, sha256Of } from '../../../application/tokens/secret.js';
import { UsageError } from '../command-usage.js';
import { textFlag } from '../options/option-reader.js';
import { StartError } from '../start-error.js';
import { type Terminal, terminalOf } from '../terminal.js';
import { withServerOptions } from './client-commands.js';
import type { TokensFile } from './token-actions.js';

type Flags = Readonly<Record<string, unknown>>;

const NEEDS_PACKAGE =
  'this file is only the client; --tokens takes the whole program, on the machine with the tokens file';

const ACTIONS = ['add', 'list', 'revoke'] as const;

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
  // Loaded by the command, so that the others start without it.
  const run = async (action: (typeof ACTIONS)[number], name: string, flags: Flags) => {
    const { fileTokens, runTokenAction, serverTokens } = await import('./token-actions.js');
    const path = textFlag(flags, 'tokens');
    const file = path === undefined ? undefined : await fileAt?.(path);
    if (path !== undefined && file === undefined) throw new StartError(NEEDS_PACKAGE);
    const clientOf = async () => (await import('./client-call.js')).callOf(flags, env);
    const tokens = file === undefined ? serverTokens((await clientOf()).client) : fileTokens(file);
    exitWith(await runTokenAction(action, name, tokens, flags, terminalOf(env)));
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
      if (given === undefined) return printSecret(flags, terminalOf(env));
      const action = ACTIONS.find((each) => each === given);
      if (action === undefined)
        throw new UsageError(`unknown action '${given}'; there are ${ACTIONS.join(', ')}`);
      if (action !== 'list' && name === undefined) throw new UsageError(`token ${action} needs <name>`);
      return run(action, name ?? '', flags);
    });
}

async function printSecret(flags: Flags, { out }: Terminal): Promise<void> {
  const secret = randomSecret();
  out.write(`${secret}\n${flags.hash === true ? `${await sha256Of(secret)}\n` : ''}`);
}
