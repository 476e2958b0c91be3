/** Name and version from a project's manifest, as a guess. Values that cannot be read are left out. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** Parsers of manifests by file name, in the order they are tried. */
export const MANIFESTS: Readonly<Record<string, (text: string) => Manifest>> = {
  'package.json': fromPackageJson,
  'pyproject.toml': (text) => {
    const project = tomlTable(text, 'project');
    return { ...tomlTable(text, 'tool.poetry'), ...project };
  },
  'Cargo.toml': (text) => tomlTable(text, 'package'),
};

function fromPackageJson(text: string): Manifest {
  const { name, version } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  // `@acme/widgets` becomes `acme-widgets`, as npm names its tarballs.
  return strings(typeof name === 'string' ? name.replace(/^@/, '').replace('/', '-') : undefined, version);
}

/** Reads `name` and `version` of one TOML table, if they are plain strings on lines of their own. */
function tomlTable(text: string, table: string): Manifest {
  let current = '';
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) current = header.replaceAll(/\s/g, '');
    else if (/^\s*\[\[/.test(line)) current = '';
    if (current !== table) continue;
    const [, key, basic, literal] =
      /^\s*(name|version)\s*=\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(line) ?? [];
    if (key !== undefined) found[key] ??= basic ?? literal ?? '';
  }
  return strings(found.name, found.version);
}

function strings(name: unknown, version: unknown): Manifest {
  return {
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(typeof version === 'string' && version !== '' ? { version } : {}),
  };
}
