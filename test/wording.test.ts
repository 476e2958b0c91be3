import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Source, sourcesIn } from './support/import-graph.js';

/** Beginnings of a comment, or of a line in one, that leave its subject for later. */
const WITHOUT_SUBJECT =
  /(?:\/\*\*|^\s*\*|\/\/) ((?:What|Which|Those|Of|Who|Whom|Whose|By|One|Its)\b.{0,40})/gm;

function commentsWithoutSubject(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(WITHOUT_SUBJECT)].map(([, words]) => `${path}: ${words}`),
  );
}

describe('The comments', () => {
  it('name their subject first', async () => {
    const folders = await Promise.all(['src', 'test', 'bench', 'scripts'].map(sourcesIn));
    assert.deepEqual(commentsWithoutSubject(folders.flat()), []);
  });

  it('are found in each form', () => {
    const word = 'What';
    const text = `/** ${word} it is. */\n/**\n * ${word} it does.\n */\n// ${word} follows.\n/** The rest. */`;
    assert.equal(commentsWithoutSubject([{ path: 'a.ts', text }]).length, 3);
  });
});

/** Calls that name a test or a suite by a text, with the first word of that. */
const TITLES = /\b(it|describe\w*)\(\s*['"`]([^\s'"`,:{]+)/g;

const wordsOf = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(' ')));

/** Words that begin no title: conjunctions, relative pronouns and prepositions. */
const BEGINS_NOTHING = wordsOf([
  'and but or nor so as if when whenever while where whether unless until once since because though',
  'what which who whom whose whoever whatever how why those these others it they them',
  'about above after against among at before behind below beside between by during for from in inside into of off on onto',
  'outside over past through to toward under upon with within without',
]);

/** Words that begin a noun phrase, but no verb in the third person. */
const BEGINS_NOUN = wordsOf([
  'a an the this that its their no not each every all any some only both either neither one another other such same own',
  'there here nothing nobody somebody everybody everything',
]);

/** Returns the titles that begin wrongly: a test's begins with a lower-case verb, a suite's with a noun. */
function titlesBegunWrong(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(TITLES)].flatMap(([call, name, word = '']) => {
      const isVerb = /^[a-z]/.test(word) && !BEGINS_NOUN.has(word);
      const isRight = !BEGINS_NOTHING.has(word.toLowerCase()) && (name !== 'it' || isVerb);
      return isRight ? [] : [`${path}: ${call.replace(/\s+/, '')}`];
    }),
  );
}

describe('The titles of tests', () => {
  it('begin with a verb, and the titles of suites with a noun', async () => {
    assert.deepEqual(titlesBegunWrong(await sourcesIn('test')), []);
  });

  it('are found in each form', () => {
    const test = 'it';
    const suite = 'describe';
    const wrong = [
      `${test}('the name is kept', `,
      `${test}("Keeps the name's case", `,
      `${test}(\n  \`of \${name}\`, `,
      `${suite}('What is kept', `,
      `${suite}InBrowser('On a host', `,
    ];
    const right = [
      `${test}('keeps the name', `,
      `${test}(title, `,
      `split(' of ', `,
      `${suite}('The names', `,
      `${suite}('A name', `,
    ];
    const text = [...wrong, ...right].join('\n');
    assert.equal(titlesBegunWrong([{ path: 'a.ts', text }]).length, wrong.length);
  });
});
