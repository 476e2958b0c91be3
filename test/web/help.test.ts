import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpErrors } from '../../src/adapters/web/help/help-content.js';
import { nameExamples, pasteable, REFUSED_NAMES } from '../../src/adapters/web/help/help-examples.js';
import { parseArchiveName, Refusal } from '../../src/domain/index.js';
import { STATUS_OF } from '../../src/formats/index.js';
import { ADDRESS, attributes, HELP, pages, readOnlyPages, words } from './samples.js';

const text = pages.helpText(HELP);
const html = [pages.help(HELP), pages.publishing(HELP)];
const page = html.map(words).join(' ');
/** Both forms differ in layout, case of the titles, and marks; never in their words. */
const plain = (form: string) =>
  form
    .replace(/[`\s]+/g, '')
    .replace(/(^|\n)-/g, '')
    .toLowerCase();

describe('The help, as two pages and as text', () => {
  it('tells the same facts in both forms', () => {
    // Both come from one source; here every line of the text is looked for in the page.
    const whole = plain(page);
    for (const line of text.split('\n').slice(1)) {
      for (const piece of line.replace(/^\s*- /, '').split(/ {2,}/))
        assert.ok(whole.includes(plain(piece).replace(/:$/, '')), piece);
    }
  });

  it('has each anchor at the page of its chapter, and those for publishing at /help too, as links to there', () => {
    const [reading = '', publishing = ''] = html;
    const chapters = attributes(publishing, 'href').flatMap((href) => /^#(?!main)(.+)/.exec(href)?.[1] ?? []);
    assert.ok(chapters.includes('upload') && chapters.includes('errors'));
    for (const each of html) {
      const [ids, hrefs] = [attributes(each, 'id'), attributes(each, 'href')];
      assert.equal(new Set(ids).size, ids.length);
      for (const href of hrefs.filter((href) => href.startsWith('#')))
        assert.ok(ids.includes(href.slice(1)), href);
    }
    for (const id of chapters) {
      assert.ok(attributes(reading, 'id').includes(id), id);
      assert.ok(attributes(reading, 'href').includes(`/-/help/publish#${id}`), id);
    }
  });

  for (const [form, help] of [
    ['text', text],
    ['page', page],
  ] as const) {
    it(`shows how to list, search, download, upload and delete with this server's address (${form})`, () => {
      for (const command of [
        `curl ${ADDRESS}/api/projects`,
        `${ADDRESS}/api/projects?search=`,
        `curl -OJ ${ADDRESS}/api/download/my-project/1.0.0`,
        `curl -OJ ${ADDRESS}/api/download/my-project/latest`,
        `${ADDRESS}/api/upload`,
        `${ADDRESS}/api/delete/my-project/1.0.0`,
        '-H "X-Token: $LECTERN_TOKEN"',
        `${ADDRESS}/api/spec`,
      ]) {
        assert.ok(help.includes(command), command);
      }
    });

    it(`names every error code of the API, with its status (${form})`, () => {
      for (const [code, status] of Object.entries(STATUS_OF)) {
        assert.match(help, new RegExp(`${status} +${code}\\b`));
      }
    });
  }

  it('has a line for each coding agent, or none without MCP, but Markdown and AGENTS.md in any case', () => {
    for (const name of ['Claude Code', 'Cursor', 'VS Code', 'Codex', 'Gemini CLI'])
      assert.match(text, new RegExp(`${name}[^\n]*:\n+[^\n]*${ADDRESS}/-/mcp`));
    const without = readOnlyPages.helpText(HELP);
    assert.doesNotMatch(without, /\/-\/mcp/);
    assert.match(without, /guide\.html\.md[\s\S]*agents-md my-project/);
  });

  it('explains no error code that the API never returns', () => {
    assert.deepEqual(Object.keys(helpErrors).sort(), Object.keys(STATUS_OF).sort());
  });

  it('shows examples that the parser of file names reads as shown, and refuses those it says it refuses', () => {
    for (const { fileName, project, label } of nameExamples) {
      assert.match(text, new RegExp(`${fileName.replace(/[.+]/g, '\\$&')} +${project} `));
      assert.equal(`${project}-${label}-docs.zip`, fileName);
    }
    for (const name of REFUSED_NAMES) assert.throws(() => parseArchiveName(name), Refusal);
  });

  it('says so when the server takes no uploads', () => {
    assert.match(words(readOnlyPages.publishing(HELP)), /runs without tokens/);
    assert.match(readOnlyPages.helpText(HELP), /runs without tokens/);
    assert.doesNotMatch(text, /runs without tokens/);
  });

  it('wraps prose at 79 columns in the text', () => {
    const prose = text.split('\n').filter((line) => !line.startsWith('    '));
    assert.deepEqual(
      prose.filter((line) => line.length > 79),
      [],
    );
  });
});

describe('An address in a command for pasting', () => {
  it('is kept when valid', () => {
    for (const address of [
      'http://localhost:8080',
      'https://docs.example.com',
      'http://[::1]:80',
      'https://a.b/docs',
    ]) {
      assert.equal(pasteable(address), address);
    }
    assert.equal(pasteable('http://a.b/'), 'http://a.b');
  });

  it('is replaced when a shell would expand it', () => {
    for (const address of [
      'http://$(id)',
      'http://a;rm -rf .',
      'http://a b',
      "http://a'",
      'javascript:x',
      'http://a\nx',
    ]) {
      assert.equal(pasteable(address), 'http://localhost:8080');
    }
  });
});
