import { visible } from '../../../domain/index.js';
import type { SettingName } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import { StartError } from '../start-error.js';
import type { Call } from './client-call.js';
import { suggesting } from './suggestions.js';

/** Hides a version, or shows it again with `--undo`. */
export async function hide(project: string, version: string, call: Call): Promise<number> {
  return change(call, 'hidden', [project, version]);
}

/** Deprecates a version with a sentence, or takes that back with `--undo`. */
export async function deprecate(
  project: string,
  version: string,
  message: string | undefined,
  call: Call,
): Promise<number> {
  assertEither(message, call, 'give a sentence for readers, or --undo');
  return change(call, 'deprecated', [project, version], { message });
}

/** Sets an alias, or removes it with `--undo`. */
export async function alias(
  project: string,
  name: string,
  target: string | undefined,
  call: Call,
): Promise<number> {
  assertEither(target, call, 'give a version, or a series such as 2.x, or --undo');
  return change(call, 'aliases', [project, name], { target }, target);
}

/** @throws StartError for a value and `--undo`, and for neither */
function assertEither(value: string | undefined, { flags }: Call, sentence: string): void {
  if ((flags.undo === true) === (value !== undefined)) throw new StartError(sentence);
}

/** @param version what the project may lack: then what there is is suggested */
async function change(
  { client, flags, terminal }: Call,
  setting: SettingName,
  [project, name]: readonly [project: string, name: string],
  json?: object,
  version = name,
): Promise<number> {
  client.assertToken();
  const message = await suggesting(client, project, version, () =>
    flags.undo === true ? client.unset(setting, project, name) : client.set(setting, project, name, json),
  );
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}
