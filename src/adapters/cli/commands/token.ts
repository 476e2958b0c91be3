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
  'this file is only the client; --tokens needs the full program, on the machine with the tokens file';

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
      'token [--hash]\n  $ lectern token add <name> --project <name> [options]\n  $ lectern token list\n  $ lectern token revoke <name>\n\nWith --tokens <file>, they change a tokens file on this machine; without it, the tokens that your token creates on a server',
    )
    .option('--hash', 'Also print the SHA-256 of the secret, for the tokens file')
    .option('--tokens <file>', 'Tokens file to change or list')
    .option('--project <name>', "Project that the token may change, or 'payments-*'; repeatable")
    .option('--all-projects', 'Let the token change every project')
    .option('--read <name>', 'Another project that the token may read; repeatable')
    .option('--allow-overwrite', 'Allow replacing versions')
    .option('--allow-delete', 'Allow deleting versions')
    .option('--allow-manage', 'Allow changing project settings and restoring versions')
    .option('--existing-projects-only', 'Allow publishing only to projects that already exist')
    .option('--previews-only', 'Allow publishing and deleting only previews')
    .option('--allow-tokens', 'Allow creating tokens with a subset of its rights; only with --tokens')
    .option('--expires <date>', 'End of its validity: 2027-06-30, or a time such as 2027-06-30T12:00:00Z')
    .option('--description <text>', 'A note for people')
    .option('--json', 'Print the list as JSON');
  withServerOptions(command)
    .example(
      '  $ lectern token add ci-widgets --project widgets --expires 2027-06-30\n  $ lectern token add team-a --tokens data/tokens.json --project widgets --allow-tokens',
    )
    .action(async (given: string | undefined, name: string | undefined, flags: Flags) => {
      if (given === undefined) return printSecret(flags, terminalOf(env));
      const action = ACTIONS.find((each) => each === given);
      if (action === undefined)
        throw new UsageError(`unknown action '${given}'; expected one of ${ACTIONS.join(', ')}`);
      if (action !== 'list' && name === undefined) throw new UsageError(`token ${action} needs <name>`);
      return run(action, name ?? '', flags);
    });
}

async function printSecret(flags: Flags, { out }: Terminal): Promise<void> {
  const secret = randomSecret();
  out.write(`${secret}\n${flags.hash === true ? `${await sha256Of(secret)}\n` : ''}`);
}
