// `npm run docs [directory]`: builds README and docs/ into a site, and publishes it where LECTERN_URL says.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = resolve(process.argv[2] ?? join(root, 'build/docs'));
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Chapters of the site, in reading order. Pages that are not named here follow by name, so that every page has a link. */
const CHAPTERS = {
  Start: [
    'README.md',
    'docs/README.md',
    'docs/configuration.md',
    'docs/client.md',
    'docs/builders.md',
    'docs/ci.md',
    'docs/moving-in.md',
    'docs/switcher.md',
    'docs/search.md',
    'docs/troubleshooting.md',
  ],
  Operate: [
    'docs/operating.md',
    'docs/nginx.md',
    'docs/object-store.md',
    'SECURITY.md',
    'docs/performance.md',
  ],
  Reference: [
    'docs/contract.md',
    'docs/http-api.md',
    'docs/archives.md',
    'docs/embedding.md',
    'CHANGELOG.md',
  ],
  Develop: [
    'docs/architecture.md',
    'docs/internals/storage.md',
    'docs/internals/requests.md',
    'docs/internals/reading.md',
    'docs/internals/deletions.md',
    'docs/internals/additions.md',
    'CONTRIBUTING.md',
    'docs/releasing.md',
  ],
};

const sources = [...markdownIn(root, false), ...markdownIn(join(root, 'docs'), true)];
const chapters = chaptersOf(sources);
const extras = new Set();

rmSync(target, { recursive: true, force: true });
for (const source of sources) write(pageOf(source), render(source));
for (const file of extras) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file));
}
cpSync(join(root, 'scripts/docs.css'), join(target, 'docs.css'));
cpSync(join(root, 'src/adapters/web/public/-/assets/favicon.svg'), join(target, 'logo.svg'));
write(
  'docinfo.yaml',
  `name: Lectern\ndescription: ${JSON.stringify(description)}\nlogo: logo.svg\nswitcher: true\n`,
);
console.log(`${sources.length} pages are in ${target}`);

if (process.env.LECTERN_URL) {
  const push = ['push', target, '--project', 'lectern', '--version', version, '--replace'];
  const program = [join(root, 'dist/main.js'), ...push];
  process.exitCode = spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1;
}

/** Paths from the root of the repository. */
function markdownIn(directory, below) {
  return readdirSync(directory, { recursive: below })
    .filter((name) => name.endsWith('.md'))
    .map((name) => relative(root, join(directory, name)).replaceAll('\\', '/'))
    .sort();
}

function chaptersOf(all) {
  const named = new Set(Object.values(CHAPTERS).flat());
  const decisions = all.filter((source) => source.startsWith('docs/adr/'));
  const others = all.filter((source) => !named.has(source) && !decisions.includes(source));
  const there = Object.entries(CHAPTERS).map(([title, paths]) => [
    title,
    paths.filter((path) => all.includes(path)),
  ]);
  return [...there, ['More', others], ['Decisions', decisions]].filter(([, paths]) => paths.length > 0);
}

function pageOf(source) {
  return source === 'README.md' ? 'index.html' : source.replace(/\.md$/, '.html');
}

function titleOf(source) {
  return /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8'))?.[1] ?? source;
}

function write(path, text) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}

function render(source) {
  const to = (path) => posix.relative(posix.dirname(pageOf(source)), path) || posix.basename(path);
  const marked = new Marked(gfmHeadingId(), {
    walkTokens: (token) => {
      if (token.type === 'link' || token.type === 'image') token.href = hrefOf(source, token.href);
    },
  });
  const body = marked.parse(readFileSync(join(root, source), 'utf8'));
  const nav = chapters.map(([title, paths]) => {
    const items = paths.map((path) => {
      const here = path === source ? ' aria-current="page"' : '';
      return `<li><a href="${to(pageOf(path))}"${here}>${inHtml(titleOf(path))}</a></li>`;
    });
    return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${inHtml(titleOf(source))}${source === 'README.md' ? '' : ' · Lectern'}</title>
<link rel="icon" href="${to('logo.svg')}">
<link rel="stylesheet" href="${to('docs.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<nav aria-label="Pages">
${nav.join('\n')}
<p>Version ${inHtml(version)}</p>
</nav>
<main id="content">
${body}</main>
</body>
</html>
`;
}

/** Pages link to pages. Other files of the repository come along. */
function hrefOf(source, href) {
  const [path = '', ...anchor] = href.split('#');
  if (path === '' || /^[a-z][a-z0-9+.-]*:/i.test(path)) return href;
  const file = posix.join(posix.dirname(source), decodeURI(path));
  if (!existsSync(join(root, file)) || !statSync(join(root, file)).isFile()) {
    throw new Error(`${source} links to ${href}, which is no file`);
  }
  const isPage = sources.includes(file);
  if (!isPage) extras.add(file);
  const there = isPage ? pageOf(file) : file;
  const from = posix.dirname(pageOf(source));
  return [posix.relative(from, there), ...anchor].join('#');
}

function inHtml(text) {
  return text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
