import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpErrors } from '../../src/adapters/web/help/help-content.js';
import type { ErrorCode } from '../../src/formats/index.js';
import { ADDRESS, attributes, DESCRIPTION, pages, readOnlyPages, words } from './samples.js';

const html = pages.api({ description: DESCRIPTION, address: ADDRESS });
const operations = Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
/** The part of the page about one operation, in words. */
const sectionOf = (id: string) =>
  words(html.split(/<\/?details/).find((part) => part.includes(`id="${id}"`)) ?? '');
/** Errors of operations, as their responses have them. */
const errorsOf = ({ responses }: (typeof operations)[number]) =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    (content?.['application/json']?.schema.allOf?.[1]?.properties?.error?.enum ?? []).map(
      (code) => `${status} ${code}`,
    ),
  );
/** An error with its cause, as the page has it. */
const told = (error: string) =>
  `${error} ${helpErrors[error.slice(4) as ErrorCode].replaceAll('`', ' ')}`.replace(/\s+/g, ' ').trim();
const GENERAL = [
  '400 invalid_request',
  '401 authentication_required',
  '403 person_not_accepted',
  '500 internal',
  '503 unavailable',
];

describe('The API reference', () => {
  it('lists every operation of the OpenAPI document, in its group, with an anchor', () => {
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

  for (const operation of operations) {
    const { operationId, method, path, parameters, responses, security } = operation;
    it(`tells what ${method} ${path} takes, and all that it answers`, () => {
      const text = sectionOf(operationId);
      assert.ok(text.includes(`${method.toUpperCase()} ${path}`));
      // Where reading may take a token, it does not need one.
      const isNeeded = !security.some((each) => Object.keys(each).length === 0);
      assert.equal(text.includes('Requires a token'), isNeeded);
      assert.equal(text.includes('X-Token: $LECTERN_TOKEN'), isNeeded);
      assert.match(text, new RegExp(`curl .*${ADDRESS}/api/`));
      for (const { name, description } of parameters) {
        assert.ok(text.includes(` ${name} `), name);
        assert.ok(text.includes(description.replaceAll('`', ' ').replace(/\s+/g, ' ').slice(0, 8)), name);
      }
      for (const status of Object.keys(responses).filter((each) => Number(each) < 400))
        assert.match(text, new RegExp(` ${status} `));
      for (const error of errorsOf(operation)) {
        // Said once for all operations, or here.
        assert.equal(text.includes(told(error)), !GENERAL.includes(error), error);
      }
    });
  }

  it('says the errors of all operations, and of all that require a token, once, after the operations', () => {
    for (const error of GENERAL) assert.equal(words(html).split(told(error)).length - 1, 1, error);
    const ids = attributes(html, 'id');
    assert.ok(
      ids.indexOf('errors') > Math.max(...operations.map(({ operationId }) => ids.indexOf(operationId))),
    );
  });

  it('shows an example of each answer that is JSON', () => {
    for (const { operationId, responses } of operations) {
      const bodies = Object.entries(responses).filter(
        ([status, { content }]) => Number(status) < 300 && content?.['application/json'] !== undefined,
      );
      const examples = sectionOf(operationId).match(/application\/json(?:, \w+)? \{/g) ?? [];
      assert.equal(examples.length, bodies.length, operationId);
    }
  });

  it('explains each field of a body, with a link to the explanation', () => {
    assert.ok(attributes(html, 'href').includes('#body-ProjectList'));
    assert.match(words(html), /keep_per_minor integer, 1 to 100000 Number of newest releases/);
  });

  it('mentions that a server without tokens refuses changes', () => {
    const text = words(readOnlyPages.api({ description: DESCRIPTION, address: ADDRESS }));
    assert.match(text, /This server has no tokens/);
  });

  it('shows no address in its commands that a shell would expand', () => {
    const text = words(pages.api({ description: DESCRIPTION, address: 'http://$(id)' }));
    assert.doesNotMatch(text, /\$\(id\)/);
  });
});
