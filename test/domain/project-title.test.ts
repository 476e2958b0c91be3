import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { frontPageTitle, titleFor } from '../../src/domain/index.js';

/** Front pages of sites, as Debian and the generators make them. */
const FRONT_PAGES = [
  ['flask', 'Welcome to Flask — Flask Documentation (2.2.x)', 'Flask'],
  ['django', 'Django documentation — Django 3.2.18 documentation', 'Django'],
  ['sqlalchemy', 'SQLAlchemy Documentation — SQLAlchemy 1.4 Documentation', 'SQLAlchemy'],
  ['postgres', 'PostgreSQL 15.2 Documentation', 'PostgreSQL'],
  ['cmake', 'CMake Reference Documentation — CMake 3.25.1 Documentation', 'CMake'],
  ['pytest', 'pytest: helps you write better programs — pytest documentation', 'pytest'],
  ['requests', 'Requests: HTTP for Humans™ — Requests 2.28.1 documentation', 'Requests'],
  ['cairo', 'Cairo: A Vector Graphics Library: Cairo: A Vector Graphics Library', 'Cairo'],
  ['cryptography', 'Welcome to pyca/cryptography — Cryptography 38.0.4 documentation', 'Cryptography'],
  ['tox', 'Welcome to the tox automation project — tox 3.28.0 documentation', 'tox'],
  ['nodejs', 'Index | Node.js v18.13.0 Documentation', 'Node.js'],
  ['gtk', 'GDK 3 Reference Manual: GDK 3 Reference Manual', 'GDK 3'],
  ['mpfr', 'Top (GNU MPFR 4.2.0)', 'GNU MPFR'],
  ['eigen', 'Eigen: Main Page', 'Eigen'],
  ['sqlite', 'SQLite Home Page', 'SQLite'],
  ['pygments', 'Welcome! — Pygments', 'Pygments'],
  ['commons-lang', 'Overview (Apache Commons Lang 3.12.0 API)', 'Apache Commons Lang API'],
  ['my-project', 'Home | My Project', 'My Project'],
  ['my-site', 'Hello from My Site | My Site', 'My Site'],
  ['payments', 'Overview :: Payments SDK', 'Payments SDK'],
  ['payments', 'API Reference — payments v3.9', 'payments'],
  ['handbook', 'Team Blue’s handbook', 'Team Blue’s handbook'],
  ['handbook', 'Team Blue: the rules', 'Team Blue: the rules'],
] as const;

/** Directory names of projects whose front pages say nothing. */
const WITHOUT_A_TITLE = [
  ['python', '3.11.2 Documentation', 'Python'],
  ['git', 'git(1)', 'Git'],
  ['my-project', 'JSDoc: Home', 'My project'],
  ['my_project', 'storybook - Storybook', 'My project'],
  ['my-project', 'File: README — Documentation by YARD 0.9.24', 'My project'],
  ['my-project', 'API Docs', 'My project'],
  ['my-project', 'x'.repeat(61), 'My project'],
  ['my-project', '— · —', 'My project'],
  ['MyProject_2', 'Home', 'MyProject_2'],
  ['42-rules', undefined, '42 rules'],
] as const;

/** Directory names with a word that would be boilerplate elsewhere. */
const NAMED_SO = [
  ['acme-docs', 'Acme Docs', 'Acme Docs'],
  ['acme', 'Acme Docs', 'Acme'],
  ['acme-api-reference', 'The Acme Reference', 'The Acme Reference'],
  ['storybook', 'storybook - Storybook', 'storybook'],
  ['home', 'Home', 'Home'],
] as const;

const words = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether all words of a text are among others, in their order. */
function areWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const word of whole) if (word === part[at]) at += 1;
  return at === part.length;
}

describe('The title of a project without a given name', () => {
  for (const [name, text, title] of [...FRONT_PAGES, ...WITHOUT_A_TITLE, ...NAMED_SO]) {
    it(`is ${title}: ${name}, ${text?.slice(0, 70)}`, () => assert.equal(titleFor(name, text), title));
  }

  const name = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,12}[a-zA-Z0-9])?$/);
  const piece = fc.constantFrom(
    ...['Home', 'Flask', 'flask', 'My Project', 'Welcome to', 'docs', "'s documentation", 'API', 'Reference'],
    ...[
      'JSDoc',
      'v1.2',
      '(2.x)',
      '3.11',
      'Release',
      'Overview (',
      ')',
      'git(1)',
      ': ',
      ' - ',
      ' — ',
      ' | ',
      '!',
    ],
  );
  const text = fc
    .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 8 })
    .map((pieces) => pieces.join(' '));

  it('is never empty, uses words of the front page or of the name, and is idempotent', () => {
    fc.assert(
      fc.property(
        fc.oneof(name, fc.constantFrom('flask', 'my-project', 'docs', 'git')),
        text,
        (name, text) => {
          const line = frontPageTitle(text);
          const title = titleFor(name, line);
          assert.notEqual(title.trim(), '');
          const isOfName = title.toLowerCase() === name.toLowerCase().replace(/[-_]+/g, ' ').trim();
          assert.ok(isOfName || title === name || areWithin(words(title), words(line ?? '')), title);
          assert.equal(titleFor(name, title), title);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
