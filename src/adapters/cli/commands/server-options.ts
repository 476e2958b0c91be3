import type { Command } from 'cac';

/** Adds the options of every command that talks to a server. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--url <address>', 'Address of the server; or LECTERN_URL')
    .option(
      '--token <secret>',
      'Token; LECTERN_TOKEN is safer, since other users see the arguments of a program',
    )
    .option('--header <header>', "Sent with every request, as 'Name: value'; repeatable, or LECTERN_HEADERS");
}
