// Makes a few files of the 500 that the program consists of with its packages: loading each of them took half of a
// start. What others import from dist/ stays as it was compiled, one file for each module.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** @param {string} dist the compiled sources; its `main.js` becomes the program, with its other parts beside it */
export async function bundleProgram(dist) {
  const directory = resolve(dist);
  const common = {
    absWorkingDir: directory,
    outdir: directory,
    outbase: directory,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
    // Older packages `require` what Node has.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);",
    },
  };
  const results = [
    await build({
      ...common,
      entryPoints: ['main.js'],
      splitting: true,
      chunkNames: '[name]-[hash]',
      plugins: [loadedLater, inPlace(directory), parsedWhenNeeded],
    }),
    await build({ ...common, entryPoints: ['adapters/zip/worker.js'] }),
  ];
  rmSync(join(directory, 'composition'), { recursive: true });
  const packages = new Set(
    results.flatMap(({ metafile }) => Object.keys(metafile.inputs)).flatMap(packageOf),
  );
  writeFileSync(
    join(directory, 'THIRD-PARTY-LICENSES.txt'),
    [...packages].sort().map(licenseIn(directory)).join('\n'),
  );
}

/** What is imported only when something asks for it stays where it is installed, but for the log: servers all have one. */
const loadedLater = {
  name: 'loaded-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && path !== 'pino' ? { external: true } : undefined,
    ),
};

/** V8 reads a table, such as that of thousands of MIME types, twice as fast from text as from the code of an object. */
const parsedWhenNeeded = {
  name: 'parsed-when-needed',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const json = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(json)});` };
    }),
};

/** A module finds the files beside it by `import.meta.url`: in another place it has to be told where it was. */
const inPlace = (directory) => ({
  name: 'in-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const place = JSON.stringify(`./${relative(directory, path)}`);
      const contents = readFileSync(path, 'utf8');
      return { contents: contents.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
    }),
});

/** The directory of the package that a file belongs to, if it is not our own. */
const packageOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];

/** What a package says of its license: whoever passes its code on has to pass that on too. */
const licenseIn = (directory) => (name) => {
  const folder = resolve(directory, name);
  const { name: title, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
  return [
    `${title} ${version} (${license})\n`,
    ...texts.map((text) => readFileSync(join(folder, text), 'utf8')),
  ].join('\n');
};
