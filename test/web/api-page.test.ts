import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpErrors } from '../../src/adapters/web/help/help-content.js';
import { ADDRESS, attributes, DESCRIPTION, pages, readOnlyPages, words } from './samples.js';

const html = pages.api({ description: DESCRIPTION, address: ADDRESS });
const operations = Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
/** The part of the page about one operation, in words. */
const sectionOf = (id: string) =>
  words(html.split('class="api-operation"').find((part) => part.startsWith(` id="${id}"`)) ?? '');

describe('The API reference', () => {
  it('has every operation of the description, in the group of its use, with an anchor', () => {
    const ids = attributes(html, 'id');
    const inOrder = DESCRIPTION.tags.flatMap(({ name }) =>
      operations.filter(({ tags }) => tags[0] === name).map(({ operationId }) => operationId),
    );
    assert.deepEqual(
      ids.filter((id) => inOrder.includes(id)),
      inOrder,
    );
    assert.equal(inOrder.length, operations.length);
  });

  for (const { operationId, method, path, parameters, responses, security } of operations) {
    it(`tells what ${method} ${path} takes, and all that it answers`, () => {
      const text = sectionOf(operationId);
      assert.ok(text.includes(`${method.toUpperCase()} ${path}`));
      // Where reading may take a token, it does not need one.
      const isNeeded = !security.some((each) => Object.keys(each).length === 0);
      assert.equal(text.includes('takes a token'), isNeeded);
      assert.equal(text.includes('X-Token: $LECTERN_TOKEN'), isNeeded);
      assert.match(text, new RegExp(`curl .*${ADDRESS}/api/`));
      for (const { name, description } of parameters) {
        assert.ok(text.includes(` ${name} `), name);
        assert.ok(text.includes(description.replaceAll('`', ' ').replace(/\s+/g, ' ').slice(0, 8)), name);
      }
      for (const status of Object.keys(responses)) assert.match(text, new RegExp(` ${status} `));
      assert.ok(text.includes(words(helpErrors.invalid_request.replaceAll('`', ' '))));
    });
  }

  it('shows an example of each answer that is JSON', () => {
    for (const { operationId, responses } of operations) {
      const bodies = Object.entries(responses).filter(
        ([status, { content }]) => Number(status) < 300 && content?.['application/json'] !== undefined,
      );
      const examples = sectionOf(operationId).match(/application\/json(?:, \w+)? \{/g) ?? [];
      assert.equal(examples.length, bodies.length, operationId);
    }
  });

  it('says what each field of a body means, and links to it', () => {
    assert.ok(attributes(html, 'href').includes('#body-ProjectList'));
    assert.match(words(html), /keep_per_minor integer, 1 to 100000 How many of the newest releases/);
  });

  it('says that nothing can be changed on a server without tokens', () => {
    const text = words(readOnlyPages.api({ description: DESCRIPTION, address: ADDRESS }));
    assert.match(text, /This server has no tokens/);
  });

  it('shows no address in its commands in which a shell reads more', () => {
    const text = words(pages.api({ description: DESCRIPTION, address: 'http://$(id)' }));
    assert.doesNotMatch(text, /\$\(id\)/);
  });
});
