import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Changes a file of JSON, in npm's form.
 * @param {string} path
 * @param {(content: object) => void} change
 */
export function editJson(path, change) {
  const content = JSON.parse(readFileSync(path, 'utf8'));
  change(content);
  writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
}
