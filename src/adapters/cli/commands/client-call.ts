import { visible } from '../../../domain/index.js';
import { LecternClient } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { type ClientSettings, readClientSettings } from '../options/client-settings.js';
import { packageVersion } from '../package-version.js';
import { type Terminal, terminalOf } from '../terminal.js';

type Flags = Readonly<Record<string, unknown>>;

/** The call of a command that talks to a server. Each command returns its exit code, one of `EXIT`. */
export interface Call {
  readonly client: LecternClient;
  readonly settings: ClientSettings;
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
}

/** @throws StartError for settings that are missing or wrong */
export async function callOf(flags: Flags, env: NodeJS.ProcessEnv): Promise<Call> {
  const terminal = terminalOf(env);
  const warn = (sentence: string) => terminal.notes.write(`lectern: ${visible(sentence)}\n`);
  const settings = await readClientSettings(flags, env, warn);
  const userAgent = `lectern/${packageVersion()}`;
  const client = new LecternClient({
    ...settings,
    userAgent,
    report: warn,
    endsWhenRefused: terminal.isLive,
  });
  return { client, settings, flags, terminal, env };
}

/** Prints a response of the server as it came. */
export function writeJson(value: unknown, { terminal }: Pick<Call, 'terminal'>): number {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}
