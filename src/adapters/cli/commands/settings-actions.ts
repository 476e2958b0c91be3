import { visible } from '../../../domain/index.js';
import { EXIT } from '../exit-codes.js';
import { StartError } from '../start-error.js';
import type { Call } from './client-call.js';
import { suggesting } from './suggestions.js';

/** Hides a version, or shows it again with `--undo`. */
export async function hide(project: string, version: string, call: Call): Promise<number> {
  const { client, flags } = call;
  return report(call, project, version, () =>
    flags.undo === true ? client.unset('hidden', project, version) : client.set('hidden', project, version),
  );
}

/** Deprecates a version with a sentence, or takes that back with `--undo`. */
export async function deprecate(
  project: string,
  version: string,
  message: string | undefined,
  call: Call,
): Promise<number> {
  const { client, flags } = call;
  if ((flags.undo === true) === (message !== undefined)) {
    throw new StartError('give a sentence for readers, or --undo');
  }
  return report(call, project, version, () =>
    message === undefined
      ? client.unset('deprecated', project, version)
      : client.set('deprecated', project, version, { message }),
  );
}

/** Sets an alias, or removes it with `--undo`. */
export async function alias(
  project: string,
  name: string,
  target: string | undefined,
  call: Call,
): Promise<number> {
  const { client, flags } = call;
  if ((flags.undo === true) === (target !== undefined)) {
    throw new StartError('give a version, or a series such as 2.x, or --undo');
  }
  return report(call, project, target ?? name, () =>
    target === undefined
      ? client.unset('aliases', project, name)
      : client.set('aliases', project, name, { target }),
  );
}

async function report(
  { client, terminal }: Call,
  project: string,
  version: string,
  work: () => Promise<string>,
): Promise<number> {
  client.assertToken();
  const message = await suggesting(client, project, version, work);
  terminal.notes.write(`${visible(message)}\n`);
  return EXIT.done;
}
