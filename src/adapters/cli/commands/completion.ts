import type { CAC, Command } from 'cac';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Option {
  readonly long: string;
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly description: string;
}

/** Returns a script for a shell that completes the commands and their options; other words are files. */
export function completionScript(shell: Shell, cli: CAC): string {
  return SCRIPTS[shell](cli);
}

const SCRIPTS: Readonly<Record<Shell, (cli: CAC) => string>> = { bash, zsh, fish };

function optionsOf(cli: CAC, command: Command): readonly Option[] {
  // `push` and `search` have a `--version` of their own.
  const own = command.options.map(({ name }) => name);
  const others = cli.globalCommand.options.filter(({ name }) => !own.includes(name));
  return [...command.options, ...others].map(({ rawName, required, description }) => ({
    long: /--([\w-]+)/.exec(rawName)?.[1] ?? '',
    short: /(?:^|\s)-(\w)\b/.exec(rawName)?.[1],
    takesValue: required === true,
    description,
  }));
}

/** Whether a command is `serve`, whose options may stand without its name. */
const isDefault = ({ isDefaultCommand }: Command) => isDefaultCommand;

function bash(cli: CAC): string {
  const words = (command: Command) =>
    optionsOf(cli, command)
      .map(({ long }) => `--${long}`)
      .join(' ');
  const cases = cli.commands.map((command) => {
    const pattern = isDefault(command) ? `${command.name} | -*` : command.name;
    return `    ${pattern}) words='${words(command)}' ;;`;
  });
  return `# Completion of lectern for bash. In ~/.bashrc: eval "$(lectern completion bash)"
_lectern() {
  local words='' current=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  if [[ $COMP_CWORD -eq 1 && $current != -* ]]; then words='${cli.commands.map(({ name }) => name).join(' ')}'
  elif [[ $current != -* ]]; then words=''; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lectern lectern
`;
}

function zsh(cli: CAC): string {
  const item = (name: string, description: string) => quoted(`${name}:${description}`);
  const commands = cli.commands.map(({ name, description }) => `    ${item(name, description)}`);
  const cases = cli.commands.map((command) => {
    const pattern = isDefault(command) ? `${command.name}|-*` : command.name;
    const items = optionsOf(cli, command).map(
      ({ long, description }) => `      ${item(`--${long}`, description)}`,
    );
    return `    ${pattern}) options=(\n${items.join('\n')}\n    ) ;;`;
  });
  return `#compdef lectern
# Completion of lectern for zsh. In ~/.zshrc, after compinit: eval "$(lectern completion zsh)"
_lectern() {
  local -a commands options
  commands=(
${commands.join('\n')}
  )
  case $words[2] in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( CURRENT == 2 )); then _describe command commands
  else _files; fi
}
compdef _lectern lectern
`;
}

function fish(cli: CAC): string {
  const names = cli.commands.map(({ name }) => name).join(' ');
  const commands = cli.commands.map(
    ({ name, description }) =>
      `complete -c lectern -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
  );
  const options = cli.commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const condition = isDefault(command) ? `${seen}; or not __fish_seen_subcommand_from ${names}` : seen;
    return optionsOf(cli, command).map(({ long, short, takesValue, description }) =>
      [
        `complete -c lectern -n '${condition}' -l ${long}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(takesValue ? ['-r'] : []),
        `-d ${quoted(description)}`,
      ].join(' '),
    );
  });
  return `# Completion of lectern for fish. In ~/.config/fish/config.fish: lectern completion fish | source
${[...commands, ...options].join('\n')}
`;
}

/** A word in single quotes, as all three shells read it: none of our texts has a backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
