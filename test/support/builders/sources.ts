/** Parts of the sources of sites. */

export const FILL = 'Fill it, switch it on, and wait for the click.';
export const FRONT = `${FILL} Now and then it has to be [cleaned](cleaning.md).`;

/** `package.json` of a site whose builder looks there for what it is to bundle. */
export const packageWith = (dependencies: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({ name: 'kettle', version: '1.0.0', private: true, type: 'module', dependencies });
