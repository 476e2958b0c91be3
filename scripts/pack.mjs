// Files that `npm pack` puts into the tarball beside dist/. Before: npm-shrinkwrap.json, the locked versions, so that `npm ci` in
// the unpacked package installs just these; without addresses, so that they come from the installer's registry.
// package.json goes without devDependencies meanwhile: npm ci asks for each of them in the lock, even with --omit=dev, and a
// lock that holds them would have npm install them with a package from a registry. After: all as it was.
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MANIFEST = 'package.json';
const KEPT = 'package.json.unpacked';
const SHRINKWRAP = 'npm-shrinkwrap.json';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const packed = (file) => {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
};

/** Restores the files, also after an interrupted npm pack. */
function restore() {
  rmSync(SHRINKWRAP, { force: true });
  if (!existsSync(KEPT)) return;
  if (readFileSync(MANIFEST, 'utf8') !== packed(KEPT)) {
    throw new Error(
      `npm pack was interrupted, and ${MANIFEST} has been edited since: put back devDependencies from ${KEPT}, and remove that file`,
    );
  }
  renameSync(KEPT, MANIFEST);
}

restore();
if (process.argv[2] === 'before') {
  const { packages, ...lock } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const shipped = Object.entries(packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path, { resolved: _resolved, devDependencies: _devDependencies, ...entry }]) => [path, entry]);
  const shrinkwrap = { ...lock, packages: Object.fromEntries(shipped) };
  writeFileSync(SHRINKWRAP, `${JSON.stringify(shrinkwrap, undefined, 2)}\n`);
  copyFileSync(MANIFEST, KEPT);
  writeFileSync(MANIFEST, packed(KEPT));
}
