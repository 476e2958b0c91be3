import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSearchDescription } from '../../src/adapters/web/xml.js';

it('has a short name of at most 16 characters in an OpenSearch description, without markup', () => {
  const addresses = { search: 'https://x.example/-/search', icon: 'https://x.example/i.svg' };
  const text = openSearchDescription('Docs & <Guides> of Example', addresses);
  assert.match(text, /<ShortName>Docs &amp; &lt;Guides&gt;<\/ShortName>/);
  assert.match(text, /<Description>The pages of Docs &amp; &lt;Guides&gt; of Example<\/Description>/);
});
