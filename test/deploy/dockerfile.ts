/** Instruction of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  readonly name: string;
  /** `--from=build`, as `from: 'build'`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
  /** The words of the exec form, a JSON array, or those between blanks. */
  readonly words: readonly string[];
}

export interface Stage {
  readonly image: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** Reads what the Dockerfiles of this project use of the language: no heredocs, build arguments for images only. */
export function parseDockerfile(file: string): readonly Stage[] {
  const lines = file
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  const defaults = new Map<string, string>();
  for (const line of lines) {
    const instruction = instructionOf(line);
    if (instruction.name === 'FROM') {
      const [image = '', , name = ''] = instruction.words;
      const named = image.replace(/\$\{(\w+)\}/, (_, argument) => defaults.get(argument) ?? '');
      stages.push({ image: named, name, instructions: [] });
    } else if (instruction.name === 'ARG') {
      const [argument = '', value = ''] = instruction.text.split('=');
      defaults.set(argument, value);
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

function instructionOf(line: string): Instruction {
  const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
  const flags: Record<string, string> = {};
  const text = rest.replace(/^(?:--([\w-]+)=(\S+)\s+)+/, (all) => {
    for (const [, flag = '', value = ''] of all.matchAll(/--([\w-]+)=(\S+)/g)) flags[flag] = value;
    return '';
  });
  const array = /^(?:CMD\s+)?(\[.*\])$/.exec(text)?.[1];
  return { name, flags, text, words: array === undefined ? text.split(/\s+/) : JSON.parse(array) };
}
