// Bundles the client into one file that needs nothing but Node, with the licenses of what is in it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** CommonJS modules ask for Node's own modules by this function. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** @param {string} file path of the file to write */
export async function writeClientFile(file) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { outputFiles, metafile } = await build({
    // esbuild would take the directory in which it was loaded.
    absWorkingDir: process.cwd(),
    entryPoints: ['src/composition/client.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minify: true,
    // Errors are told apart by the names of their classes.
    keepNames: true,
    legalComments: 'none',
    alias: { yaml: './scripts/without-yaml.mjs' },
    define: { CLIENT_VERSION: JSON.stringify(version) },
    banner: {
      js: `#!/usr/bin/env node\n// The client of Lectern ${version}. Licenses are at the end.\n${REQUIRE}`,
    },
    logLevel: 'warning',
  });
  const licenses = packagesOf(metafile).map(licenseOf).join('\n\n');
  writeFileSync(file, `${outputFiles[0].text}/*!\n${licenses.replaceAll('*/', '* /')}\n*/\n`);
}

/** Directories of the packages that a bundle has modules of. */
function packagesOf({ outputs }) {
  const modules = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const packages = modules.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(packages.filter((each) => each !== undefined))].sort();
}

function licenseOf(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} is bundled, and has no file with its license`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, file), 'utf8').trim()}`;
}
