import { BUILDERS } from '../builders.js';
import type { PageKind } from './page-text.js';

/** Names in front of `changelog` in the name of a file: `gnutls-`, `dist.`, but neither `get_` nor `property.Window.`. */
const NAMED =
  '(?:(?!(?:get|set|add|git|read|view|write|create|generate|[a-z]+ing)[-_])[a-z\\d+]+(?:-[a-z\\d+]+)*[-_.])?';
/** And behind it: `-1.2`, `_3_0`, `.old`. No part of it can be read in two ways: names are long. */
const VERSION = '(?:[-_.](?:old|archives?|debian|index))*(?:[-_.]?v?\\d[\\w.+-]*)?';
/** Words of a title in front of `Release notes`: `GnuTLS`, `Appendix E.`; not `Writing`. */
const TITLED =
  '(?:(?!(?:[a-z]+ing|how|to|the|about|get|set|add|read|write|create|generate) )[\\w.+#-]+ ){0,3}';
const CONFIGURATION = '(?:conf|cfg|cnf|ini|toml|ya?ml|rc|config)';
const OLD = '(?:deprecated|obsolete)';
const THINGS =
  '(?:features?|apis?|functions?|classes|methods?|lists?|options?|interfaces?|commands?|modules?|parameters?|symbols?)';
const LISTED =
  '(?:concept|function|variable|command|option|symbol|name|subject|keyword|macro|type|data|builtin|program|procedure|' +
  'reserved[-_ ]word|parameter|class|method|module|general|full|alphabetical)s?';

/** Kinds by the name of a file or of a folder above it, by the whole path, and by the title of a page. The first that fits counts. */
const PATTERNS: readonly {
  readonly kind: PageKind;
  readonly names?: RegExp;
  readonly paths?: RegExp;
  readonly titles?: RegExp;
}[] = [
  {
    kind: 'source',
    paths: /(?:^|\/)src\/.*\.rs\.html$/,
    titles: /^(?:JSDoc: )?Source: \S+$|\.\w+ source (?:file|code)$/i,
  },
  {
    kind: 'generated-list',
    names: pattern(
      `${LISTED}(?:[-_]and[-_]${LISTED})*[-_]index(?:es)?(?:[-_]\\w+)?|class(?:es)?[-_]hierarchy`,
    ),
    titles: pattern(
      `${LISTED}(?: and ${LISTED})* index(?:es)?|index of (?:all |new |deprecated )?(?:${LISTED}|classes)( in .*)?|` +
        'class hierarchy|alphabetical list(?: of .*)?',
    ),
  },
  {
    kind: 'sample',
    names: pattern(
      `[\\w.-]+\\.${CONFIGURATION}\\.(?:sample|example|dist)|(?:[\\w-]+[-_.])?(?:sample|example)[-_.](?:[\\w-]+\\.)?${CONFIGURATION}`,
    ),
    titles: pattern(
      `[\\w.-]+\\.${CONFIGURATION}\\.(?:sample|example|dist)|(?:sample|example) (?:[\\w.-]+ )?(?:config(?:uration)? )?files?`,
    ),
  },
  {
    kind: 'release-notes',
    names: pattern(
      `${NAMED}(?:change-?logs?|news|rel(?:ease)?[-_]?notes?|what[-_]?s[-_]?new)${VERSION}|` +
        `(?:changes(?:[-_]in)?|releases)${VERSION}|release[-_.]?v?\\d[\\w.+-]*`,
    ),
    paths: /(?:^|\/)HISTORY(?=\.)/,
    titles: pattern(
      `${TITLED}(?:release notes?|change ?logs?|what['’]?s new)(?: (?:for|in|of) .*|[\\s:,–—(-]+v?\\d.*)?|` +
        `${TITLED}release v?\\d.*|(?:[\\w.+-]+ )?news|(?:(?:change|release|version|revision) )?history|` +
        'changes(?: (?:in|since|between) .*\\d.*)?',
    ),
  },
  {
    kind: 'past',
    names: pattern(`deprecat(?:ed|ions?)|obsolete|${OLD}[-_]${THINGS}`),
    titles: pattern(`deprecat(?:ed|ions?)|obsolete|${OLD} (?:and \\w+ )?${THINGS}(?: .*)?|.*\\(${OLD}\\)`),
  },
];

const NAMES_OF_BUILDERS = BUILDERS.flatMap(({ lists, sources, generator }) => [
  { kind: 'generated-list' as const, names: lists, generator },
  { kind: 'source' as const, names: sources, generator },
]).flatMap(({ kind, names, generator }) =>
  names === undefined
    ? []
    : [{ kind, generator, path: new RegExp(names.trim().split(/\s+/).map(patternOf).join('|')) }],
);

/** Kind of a page, by its path below the site and by the `<meta name=generator>` that it has. */
export function pageKind(path: string, generators: readonly string[]): PageKind {
  const byBuilder = NAMES_OF_BUILDERS.find(
    (each) =>
      each.path.test(path) &&
      (each.generator === undefined || generators.some((name) => each.generator?.test(name))),
  );
  if (byBuilder !== undefined) return byBuilder.kind;
  const names = path.replace(/(?:\.[a-z]{2}(?:[-_.][a-z]{2,4})?)?\.x?html?$/i, '').split('/');
  const found = PATTERNS.find(
    (each) => each.paths?.test(path) || names.some((name) => each.names?.test(name)),
  );
  return found?.kind ?? 'ordinary';
}

/** Kind of a page by its title, without what all titles of its site have. */
export function kindOfTitle(title: string): PageKind {
  return PATTERNS.find(({ titles }) => titles?.test(title))?.kind ?? 'ordinary';
}

function pattern(whole: string): RegExp {
  return new RegExp(`^(?:${whole})$`, 'i');
}

/** `class-use/` -> below such a folder; `genindex-*` -> `genindex-A.html` or `genindex-A/index.html` */
function patternOf(name: string): string {
  const path = `(?:^|/)${name.replaceAll('*', '[^/]*')}`;
  return name.endsWith('/') ? path : `${path}(?:/index)?\\.html?$`;
}
