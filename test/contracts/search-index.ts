import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { SearchAnswer, SearchIndex, SearchOptions } from '../../src/application/index.js';
import { siteOf } from '../support/searchable-site.js';

const page = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`;

const GUIDE = {
  'index.html': page('Guide', '<h1>Guide</h1><p>Welcome to the apple guide.</p>'),
  'apples.html': page(
    'Apples',
    '<h1>Apples</h1><p>All about fruit.</p><h2 id="storing">Storing apples</h2><p>Keep every apple in a cool cellar.</p>',
  ),
  'api.html': page(
    'API',
    '<h1>API</h1><dl><dt id="fruit.json_agg">fruit.json_agg(values)</dt><dd>Aggregates values as an array of pears.</dd></dl><p>See ArrayList and --single-transaction, operator&lt;&lt; and c++.</p>',
  ),
  'pears.html': page('Pears', '<h1>Pears</h1><p>A pear is no apple. Die Birne heißt Élan.</p>'),
  'ja.html': page('パッケージ管理', '<h1>パッケージ管理</h1><p>ソフトウェアの入手先です。</p>'),
  'secret.html': page('Hidden', '<p>unfindable apple</p>', '<meta name="robots" content="noindex">'),
};

/** The promises of the port `SearchIndex`, sentence by sentence. */
export function searchIndexContract(name: string, make: () => Promise<SearchIndex>): void {
  describe(`${name} keeps the promises of a SearchIndex`, () => {
    let index: SearchIndex;
    const opened: SearchIndex[] = [];
    beforeEach(async () => {
      index = await make();
      opened.push(index);
    });
    after(() => Promise.all(opened.map((each) => each.close())));

    const build = (revision: string, files: Readonly<Record<string, string>> = GUIDE) =>
      index.build(revision, siteOf(files));
    const live = (...revisions: string[]) =>
      revisions.map((revision) => ({ revision, project: revision.replace(/-.*/, '') }));
    const search = (query: string, revisions = ['guide-1'], limit = 10, offset = 0): Promise<SearchAnswer> =>
      index.search(query, live(...revisions), { limit, offset });
    const paths = async (query: string, revisions?: string[]) =>
      (await search(query, revisions)).results.map(({ path }) => path);

    it('finds a page by its words, with section, anchor and marked snippet', async () => {
      assert.deepEqual(await build('guide-1'), { pages: 5, cut: 0 });
      const [best] = (await search('storing apples')).results;
      assert.deepEqual(
        { path: best?.path, title: best?.title, heading: best?.heading, anchor: best?.anchor },
        { path: 'apples.html', title: 'Apples', heading: 'Storing apples', anchor: 'storing' },
      );
      assert.equal(best?.snippet.map(({ text }) => text).join(''), 'Keep every apple in a cool cellar.');
      assert.deepEqual(
        best?.snippet.filter(({ isMarked }) => isMarked),
        [{ text: 'apple', isMarked: true }],
      );
    });

    describe('A folding search', () => {
      const NAMES = Array.from({ length: 60 }, (_, at) => `p${String(at).padStart(2, '0')}-1`);
      const configuration = (text: string) =>
        page('Configuration', `<h1>Configuration</h1><h2 id="max">retry.max</h2><p>${text}</p>`);
      const fold = (query: string, revisions: string[], more: Partial<SearchOptions> = {}) =>
        index.search(query, live(...revisions), { limit: 10, isFolded: true, ...more });
      const rows = ({ results }: SearchAnswer) =>
        results.map(({ revision, sameIn = [] }) => [revision, ...sameIn.map((each) => each.revision)]);

      it('folds equal pages of 60 projects into one result, before later results', async () => {
        for (const [at, name] of NAMES.entries()) {
          const own = page(`Limits of ${at}`, `<h1>Limits of ${at}</h1><p>A retry costs time.</p>`);
          await build(name, { 'a/set.html': configuration(`Retries, default ${at}`), 'own.html': own });
        }
        const plain = await search('retry', NAMES, 50);
        assert.equal(plain.results.filter(({ title }) => title === 'Configuration').length, 50);
        const seen: string[] = [];
        const pages: SearchAnswer[] = [];
        for (let offset = 0; offset < (pages.at(-1)?.total ?? 1); offset += 10) {
          const answer = await fold('retry', NAMES, { offset });
          pages.push(answer);
          for (const { sameIn = [], ...result } of answer.results)
            seen.push(...[result, ...sameIn].map(({ revision, path }) => `${revision}/${path}`));
        }
        const [first] = pages;
        assert.ok(first);
        assert.equal(rows(first)[0]?.length, 60);
        assert.deepEqual([first.results[0]?.heading, first.results[1]?.heading], ['retry.max', undefined]);
        assert.deepEqual([new Set(seen).size, seen.length], [120, 120]);
        assert.deepEqual([first.total, first.more, pages.at(-1)?.total], [61, false, 61]);
      });

      it('folds neither different headings and titles, nor pages of one revision, nor pages without a title', async () => {
        // Text that many pages of a site share is indexed once.
        const others = Object.fromEntries(
          NAMES.slice(0, 20).map((name) => [`${name}.html`, page(name, `<h1>${name}</h1><p>${name}</p>`)]),
        );
        const limits = (title: string) =>
          page(title, `<h1>${title}</h1><h2 id="limit">retry.limit</h2><p>Retries</p>`);
        for (const name of ['a', 'b']) {
          await build(`${name}-1`, {
            '1.html': configuration('Retries'),
            '2.html': limits(`Limits of ${name}`),
            '3.html': page('', `<p>retry of ${name}</p>`),
            ...(name === 'a'
              ? { '4.html': configuration('Retries') }
              : { '5.html': limits('Configuration') }),
            ...others,
          });
        }
        const { results } = await fold('retry', ['a-1', 'b-1']);
        assert.deepEqual(
          results.flatMap(({ path, sameIn = [] }) => sameIn.map((each) => [path, each.revision, each.path])),
          [['1.html', 'b-1', '1.html']],
        );
        assert.equal(results.length, 7);
      });

      it('shows the page of a project named in the words, else of a preferred one, else of the most read, else the best', async () => {
        const names = ['apple-1', 'kiwi-1', 'pear-1', 'plum-1'];
        for (const name of names) await build(name, { 'set.html': configuration('Retries of a kiwi') });
        const reads = new Map([['pear-1', 3]]);
        assert.deepEqual(rows(await fold('retry', names)), [names]);
        assert.deepEqual(rows(await fold('retry', names, { reads })), [
          ['pear-1', 'apple-1', 'kiwi-1', 'plum-1'],
        ]);
        const preferred = ['plum-1'];
        assert.deepEqual(rows(await fold('retry', names, { reads, preferred })), [
          ['plum-1', 'pear-1', 'apple-1', 'kiwi-1'],
        ]);
        assert.deepEqual(rows(await fold('kiwi retry', names, { reads, preferred })), [
          ['kiwi-1', 'plum-1', 'pear-1', 'apple-1'],
        ]);
      });

      it('does not fold a page with all words into pages that lack some', async () => {
        for (const name of ['a-1', 'b-1']) await build(name, { 'set.html': configuration('Retries') });
        await build('c-1', { 'set.html': configuration('Retries with jitter') });
        const reads = new Map([['a-1', 9]]);
        assert.deepEqual(rows(await fold('retry max jitter', ['a-1', 'b-1', 'c-1'], { reads })), [
          ['c-1'],
          ['a-1', 'b-1'],
        ]);
      });

      it('folds the results of a question', async () => {
        const names = NAMES.slice(0, 8);
        for (const name of names) await build(name, { 'set.html': configuration('Retries, as a number') });
        await build('z-1', { 'own.html': page('Waiting', '<h1>Waiting</h1><p>How long a retry waits.</p>') });
        const { results } = await fold('How many retries are there?', [...names, 'z-1'], {
          ...{ limit: 5, isQuestion: true },
        });
        assert.deepEqual(results.map(({ title, sameIn = [] }) => [title, sameIn.length]).sort(), [
          ['Configuration', 7],
          ['Waiting', 0],
        ]);
      });
    });

    describe('A search for a question', () => {
      const ask = async (question: string, revisions = ['guide-1']) =>
        index.search(question, live(...revisions), { limit: 10, isQuestion: true });

      it('requires any of the words, and leads to the section that answers best', async () => {
        await build('guide-1');
        const { results } = await ask('Where should I keep apples so that they stay crisp and firm?');
        assert.deepEqual([results[0]?.path, results[0]?.anchor], ['apples.html', 'storing']);
        const apart = 'storing welcome birne aggregates';
        assert.deepEqual((await search(apart)).results, []);
        assert.equal((await ask(apart)).results.length, 4);
      });

      it("ranks pages in other languages after the same page in the asker's language", async () => {
        const text = (tag: string, filler: string) => {
          const body = `<h1>Kettle</h1><pre>set kettle.look.paste_lines</pre><p>${filler}</p>`;
          return page(`Kettle ${tag}`, body).replace('lang="en"', `lang="${tag}"`);
        };
        await build('guide-1', {
          // Shorter, so that the words weigh more in them.
          'a.pl.html': text('pl', 'Opcje programu. '.repeat(2)),
          'b.sr.html': text('sr', 'Opcije programa. '.repeat(2)),
          'c.en.html': text('en', 'All options of the program. '.repeat(60)),
        });
        const inOrder = async (languages?: readonly string[]) => {
          const options = { limit: 10, isQuestion: true, ...(languages === undefined ? {} : { languages }) };
          const { results } = await index.search(
            'how to set paste_lines of the kettle',
            live('guide-1'),
            options,
          );
          return results.map(({ path }) => path);
        };
        assert.equal((await inOrder())[0], 'c.en.html');
        assert.equal((await inOrder(['sr']))[0], 'b.sr.html');
      });

      it('finds the definition of an identifier in the question', async () => {
        await build('guide-1');
        const [best] = (await ask('what are the arguments of fruit.json_agg?')).results;
        assert.deepEqual([best?.path, best?.anchor], ['api.html', 'fruit.json_agg']);
      });

      it('finds nothing for words on no page, names the missing words, and hides noindex', async () => {
        await build('guide-1');
        const nothing = await ask('zzyzx qwertz?', ['guide-1', 'lost-1']);
        assert.deepEqual([nothing.results, nothing.missing], [[], ['lost-1']]);
        const { results } = await ask('unfindable apple');
        assert.ok(results.length > 0 && results.every(({ path }) => path !== 'secret.html'));
      });

      it('searches the given revisions only', async () => {
        await build('guide-1');
        await build('other-1');
        const { results } = await ask('storing apples', ['other-1']);
        assert.ok(results.every(({ revision }) => revision === 'other-1') && results.length > 0);
      });
    });

    it('finds a section by a word that occurs only among the arguments in its heading', async () => {
      await build('guide-1', {
        'index.html': page(
          'Guide',
          '<h1>Guide</h1><p>Welcome.</p><dl><dt id="boil">boil(pressure)</dt><dd>Heats it.</dd><dt id="cook">cook(water, viscosity=3)</dt><dd>Cooks it.</dd></dl>',
        ),
      });
      const [best] = (await search('viscosity')).results;
      assert.deepEqual([best?.heading, best?.anchor], ['cook(water, viscosity=3)', 'cook']);
      assert.equal(best?.snippet.map(({ text }) => text).join(''), 'Cooks it.');
    });

    it('ranks the page about a word first', async () => {
      await build('guide-1');
      assert.equal((await paths('apple'))[0], 'apples.html');
      assert.equal((await paths('pears'))[0], 'pears.html');
    });

    it('finds identifiers whole and in parts', async () => {
      await build('guide-1');
      for (const query of ['json_agg', 'agg', 'ArrayList', 'arraylist', 'array list', 'operator<<', 'c++']) {
        assert.deepEqual((await paths(query))[0], 'api.html', query);
      }
      for (const query of ['--single-transaction', 'single transaction', 'fruit.json_agg']) {
        assert.deepEqual((await paths(query))[0], 'api.html', query);
      }
    });

    it('ranks identifiers with their sign before words without it, and marks the sign', async () => {
      await build('guide-1', {
        'apply.html': page('Apply', '<h1>Apply</h1><p>Apply what you apply.</p>'),
        'css.html': page('Styles', '<h1>Styles</h1><p>Rules with @apply, and cc -w.</p>'),
        'wide.html': page('Width', '<h1>Width</h1><p>From a to w: a-w, me@apply.example.</p>'),
      });
      for (const query of ['@apply', '@appl', 'cc -w']) {
        const [best] = (await search(query)).results;
        assert.equal(best?.path, 'css.html', query);
        const marked = best.snippet.filter(({ isMarked }) => isMarked).map(({ text }) => text);
        assert.equal(marked.at(-1), query.replace('cc ', '').padEnd(query.startsWith('@') ? 6 : 0, 'y'));
      }
      assert.deepEqual((await paths('apply')).sort(), ['apply.html', 'css.html', 'wide.html']);
      assert.deepEqual((await search('$apply')).corrections, []);
      assert.equal((await paths('$apply'))[0], 'apply.html');
    });

    it('ranks a whole hyphenated name before its words, and finds hyphenated words by both parts', async () => {
      await build('guide-1', {
        'limits.html': page(
          'Limits',
          '<h1>Limits</h1><p>Unacked clients are at most the max of clients.</p>',
        ),
        'key.html': page('Keys', '<h1>Keys</h1><p>All of them. Set max-unacked-clients to 5.</p>'),
        'more.html': page('More', '<h1>More</h1><p>A disk may be read only once.</p>'),
        'only.html': page('Read only mode', '<h1>Read only mode</h1><p>Nothing is written.</p>'),
      });
      assert.equal((await paths('max-unacked-clients'))[0], 'key.html');
      assert.equal((await paths('read-only mode'))[0], 'only.html');
      assert.deepEqual((await paths('read-only ')).sort(), ['more.html', 'only.html']);
    });

    it('ranks the section that explains an identifier before all mentions', async () => {
      const term = (id: string, text: string) =>
        `<dt id="${id}">${id}(name, message=None)</dt><dd>${text}</dd>`;
      await build('guide-1', {
        'api.html': page(
          'API',
          `<dl>${term('app.Loader.load', 'Raises app.Missing.')}${term('app.Missing', 'Not there.')}${term('app.Other.load', 'Loads.')}</dl>`,
        ),
        'missing.html': page('Missing', '<h1>Missing</h1><p>app.Missing, app.Missing: what is Missing.</p>'),
      });
      const found = async (query: string) =>
        (await search(query)).results.map(({ path, anchor }) => `${path}#${anchor ?? ''}`);
      for (const query of ['app.Missing', 'exception app.Missing', 'app::Missing', 'app.Missing(name)'])
        assert.equal((await found(query))[0], 'api.html#app.Missing', query);
      for (const query of ['Loader.load', 'Loader#load()', 'app/Loader/load'])
        assert.equal((await found(query))[0], 'api.html#app.Loader.load', query);
      assert.deepEqual((await found('load()')).sort(), [
        'api.html#app.Loader.load',
        'api.html#app.Other.load',
      ]);
    });

    it('finds parts of text without spaces, and words without their accents', async () => {
      await build('guide-1');
      assert.deepEqual(await paths('管理'), ['ja.html']);
      assert.deepEqual(await paths('理'), ['ja.html']);
      assert.deepEqual(await paths('パッケージ管理'), ['ja.html']);
      assert.deepEqual(await paths('elan'), ['pears.html']);
      assert.deepEqual(await paths('ÉLAN'), ['pears.html']);
    });

    it('requires all words, or most words where few pages have all, and names the missing ones', async () => {
      await build('guide-1');
      assert.deepEqual((await paths('cool cellar fruit'))[0], 'apples.html');
      const { results } = await search('cool cellar Pears');
      assert.deepEqual(
        results.map(({ path, lacks }) => [path, lacks]),
        [['apples.html', ['Pears']]],
      );
      assert.deepEqual(
        (await search('cool cellar')).results.map(({ path, lacks }) => [path, lacks]),
        [['apples.html', undefined]],
      );
    });

    it('names a missing word once, however many of its parts are missing', async () => {
      await build('guide-1', {
        'a.html': page('Storage', '<h1>Storage</h1><p>Storage and backup: 設定方法</p>'),
        'b.html': page('Other', '<h1>Other</h1><p>その法一覧</p>'),
      });
      const { results } = await search('storage backup 設定方法一覧 ');
      assert.deepEqual(
        results.map(({ path, lacks }) => [path, lacks]),
        [['a.html', ['設定方法一覧']]],
      );
    });

    it('returns only pages with all words when there are enough', async () => {
      const text = (words: string) => page(words, `<h1>${words}</h1>`);
      const files = Array.from({ length: 5 }, (_, at) => [`${at}.html`, text(`quince jelly ${at}`)]);
      await build('guide-1', { ...Object.fromEntries(files), 'other.html': text('quince') });
      assert.equal((await search('quince jelly')).results.length, 5);
      assert.deepEqual((await paths('quince jelly 4'))[0], '4.html');
    });

    it('requires no fillers on a page beside two other words', async () => {
      await build('guide-1');
      const { results, omittedTerms } = await search('how would you do cool cellar ');
      assert.deepEqual([results[0]?.path, results[0]?.lacks, omittedTerms], ['apples.html', undefined, []]);
      assert.deepEqual(await paths('would cellar '), ['apples.html']);
      assert.deepEqual((await search('would cellar ')).omittedTerms, ['would']);
    });

    it('treats the last word as a prefix, unless something follows', async () => {
      await build('guide-1');
      assert.deepEqual(await paths('cell'), ['apples.html']);
      assert.deepEqual(await paths('cell '), []);
    });

    it('corrects a typo only in a word without results', async () => {
      await build('guide-1');
      const corrected = await search('sotring cool');
      assert.equal(corrected.correctedTo, 'storing cool');
      assert.equal(corrected.results[0]?.path, 'apples.html');
      assert.equal((await search('storing cool')).correctedTo, undefined);
      assert.deepEqual((await search('xyzzyplugh')).results, []);
    });

    it('ranks pages with a synonym after pages with the word itself', async () => {
      await build('guide-1', {
        'a.html': page('Clusters', '<h1>Clusters</h1><p>Kubernetes runs the containers.</p>'),
        'b.html': page('Tools', '<h1>Tools</h1><p>K8s runs the containers.</p>'),
        'c.html': page('Ports', '<h1>Ports</h1><p>Node.js listens, and drops what is late.</p>'),
      });
      const synonyms = new Map([
        ['k8s', ['kubernetes']],
        ['kubernetes', ['k8s']],
        ['server', ['node.js', 'listen']],
        ['delete', ['node.js']],
      ]);
      const found = (query: string) => index.search(query, live('guide-1'), { limit: 10, synonyms });
      const pathsOf = async (query: string) => (await found(query)).results.map(({ path }) => path);
      assert.deepEqual(await pathsOf('k8s containers'), ['b.html', 'a.html']);
      assert.deepEqual(await pathsOf('K8S '), ['b.html', 'a.html']);
      assert.deepEqual(await pathsOf('containers kubernetes'), ['a.html', 'b.html']);
      const { results, corrections, omittedTerms } = await found('server');
      assert.deepEqual([corrections, omittedTerms], [[], []]);
      assert.deepEqual(
        results[0]?.snippet.filter(({ isMarked }) => isMarked).map(({ text }) => text),
        ['listens'],
      );
      // A synonym that is several words is ignored.
      assert.deepEqual((await found('delete')).omittedTerms, ['delete']);
      assert.deepEqual(await paths('server'), []);
    });

    it('names the corrected typos, and words on no page', async () => {
      await build('guide-1');
      const { correctedTo, corrections, omittedTerms, results } = await search('sotring xqzzqjk cool pearz');
      assert.deepEqual(
        { correctedTo, corrections, omittedTerms },
        {
          correctedTo: 'storing xqzzqjk cool pears',
          corrections: [
            { from: 'sotring', to: 'storing' },
            { from: 'pearz', to: 'pears' },
          ],
          omittedTerms: ['xqzzqjk'],
        },
      );
      assert.deepEqual([results[0]?.path, results[0]?.lacks], ['apples.html', ['pearz']]);
      const known = await search('storing cool');
      assert.deepEqual([known.corrections, known.omittedTerms], [[], []]);
      assert.deepEqual((await search('理管 apples')).omittedTerms, ['理管']);
    });

    it('corrects no word of a project name', async () => {
      await build('pearz-1');
      const { corrections, results } = await search('pearz cellar', ['pearz-1']);
      assert.deepEqual(corrections, []);
      assert.equal(results[0]?.path, 'apples.html');
    });

    it('reports whether more pages match than can be paged through', async () => {
      const files = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.html`, page(`P ${at}`, 'plum')]));
      await build('many-1', files(201));
      await build('fewer-1', files(200));
      const many = await search('plum', ['many-1']);
      assert.deepEqual([many.total, many.more], [200, true]);
      const fewer = await search('plum', ['fewer-1']);
      assert.deepEqual([fewer.total, fewer.more], [200, false]);
    });

    it('ranks news after explanations, unless the words ask for news', async () => {
      const text = '<p>Boil the water of the lid.</p>';
      await build('guide-1', {
        'guide-news.html': page('Lid', `<h1>Lid</h1>${text}`),
        'guide-text.html': page(
          'Lid',
          `<h1>Lid</h1>${text}<p>It is no news that others have changes, too.</p>`,
        ),
      });
      for (const isQuestion of [false, true]) {
        const found = async (query: string) =>
          (await index.search(query, live('guide-1'), { limit: 5, isQuestion })).results[0]?.path;
        assert.equal(await found('water lid '), 'guide-text.html');
        assert.equal(await found('water lid news '), 'guide-news.html');
      }
    });

    it('counts all matching pages by project and by kind, on request', async () => {
      await build('guide-1', { ...GUIDE, 'changes.html': page('Changes', '<p>A new apple.</p>') });
      await build('other-1', {
        ...Object.fromEntries(
          Array.from({ length: 230 }, (_, at) => [`${at}.html`, page(`Apple ${at}`, '<p>An apple pie.</p>')]),
        ),
        'api.html': page('API', '<dl><dt id="pie.bake">pie.bake(apple)</dt><dd>Bakes it.</dd></dl>'),
      });
      const found = (query: string, facets = true) =>
        index.search(query, live('guide-1', 'other-1'), { limit: 5, facets });
      const countsOf = async (query: string) => {
        const { facets } = await found(query);
        return facets && [Object.fromEntries(facets.projects), Object.fromEntries(facets.pageKinds)];
      };
      const kinds = { guide: 233, reference: 1, 'release notes': 1 };
      assert.deepEqual(await countsOf('apple '), [{ guide: 4, other: 231 }, kinds]);
      assert.deepEqual(await countsOf('agg'), [{ guide: 1 }, { reference: 1 }]);
      assert.deepEqual(await countsOf('cella'), [{ guide: 1 }, { guide: 1 }]);
      assert.deepEqual(await countsOf('project:other pie '), [{ other: 231 }, { guide: 230, reference: 1 }]);
      for (const query of ['', 'xyzzyplugh ']) assert.deepEqual(await countsOf(query), [{}, {}], query);
      assert.equal((await found('apple', false)).facets, undefined);
    });

    it('returns the pages above a page by path, without the front page', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      const folders = names.map((_, at) => names.slice(0, at + 1).join('/'));
      await build('guide-1', {
        // This page is before the pages above it, as in some lists of paths.
        'a/b/apple.html': page('Apple', 'fruit'),
        'index.html': page('Front', 'fruit'),
        'pear.html': page('Pear', 'fruit'),
        'none/plum.html': page('Plum', 'fruit'),
        ...Object.fromEntries(
          folders.map((folder) => [`${folder}/index.html`, page(`In ${folder.toUpperCase()}`, 'fruit')]),
        ),
        'a/b/c/d/e/f/g/none/fig.html': page('Fig', 'fruit'),
      });
      const { results } = await search('fruit', ['guide-1'], 50);
      const ways = new Map(results.map(({ path, way }) => [path, way]));
      assert.deepEqual(ways.get('a/b/apple.html'), ['In A', 'In A/B']);
      assert.deepEqual(ways.get('a/b/index.html'), ['In A']);
      for (const path of ['index.html', 'pear.html', 'none/plum.html', 'a/index.html'])
        assert.ok(ways.has(path) && ways.get(path) === undefined, path);
      const nearest = folders.slice(2).map((folder) => `In ${folder.toUpperCase()}`);
      assert.deepEqual(ways.get('a/b/c/d/e/f/g/none/fig.html'), nearest);
    });

    it('says what a result leads to: a page, a section, or something that has a name', async () => {
      await build('guide-1', {
        'loading.html': page(
          'Loading',
          '<h1>Loading</h1><p>Templates.</p><h2 id="late">Late</h2><p>Lazily.</p>',
        ),
        'api.html': page('API', '<dl><dt id="app.read">app.read(name)</dt><dd>Reads a file.</dd></dl>'),
      });
      const kinds = async (query: string) => (await search(query)).results.map(({ kind }) => kind);
      assert.deepEqual(await kinds('templates'), ['page']);
      assert.deepEqual(await kinds('lazily'), ['section']);
      assert.deepEqual(await kinds('app.read'), ['function']);
    });

    it('gives more of the text in a snippet where it is asked to, from the same place on', async () => {
      const filling = 'Many words stand here. '.repeat(40);
      await build('guide-1', { 'a.html': page('Tea', `<p>${filling}The kettle whistles. ${filling}</p>`) });
      const snippet = async (snippetLength?: number) => {
        const { results } = await index.search('whistles', live('guide-1'), { limit: 1, snippetLength });
        return results[0]?.snippet.map(({ text }) => text).join('') ?? '';
      };
      const [short, long] = [await snippet(), await snippet(600)];
      assert.ok(long.startsWith(short.slice(0, -' …'.length)), `${short}\n${long}`);
      assert.ok(short.length < 230 && long.length > 500 && long.length < 610, `${short}\n${long}`);
    });

    it('preserves line breaks of code in a snippet, and no others', async () => {
      await build('guide-1', {
        'a.html': page(
          'Boil',
          '<p>Boil\nwater.</p><p>So:</p><pre>kettle = Kettle()\nkettle.boil()\n</pre><p>Done.</p>',
        ),
      });
      const [best] = (await search('kettle boil')).results;
      assert.equal(
        best?.snippet.map(({ text }) => text).join(''),
        'Boil water. So: kettle = Kettle()\nkettle.boil() Done.',
      );
    });

    it("finds every word of a site's main content, also words repeated on all pages", async () => {
      const chapters = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Foxtrot'];
      const files = Object.fromEntries(
        chapters.map((name, at) => [
          `${at}.html`,
          page(
            `${name} - Handbook`,
            `<h1>Handbook Zulu</h1><h2>${name}</h2><p>Chapter about ${name.toLowerCase()}s.</p>
             <h2>Support</h2><p>Call extension 4711, ask for Quittenmarmelade.</p>`,
          ),
        ]),
      );
      await build('guide-1', files);
      const words = 'zulu chapter about support call extension 4711 ask for quittenmarmelade'.split(' ');
      for (const word of [...words, ...chapters]) {
        const { results, omittedTerms } = await search(word);
        assert.ok(results.length > 0 && omittedTerms.length === 0, word);
      }
      const [best] = (await search('extension 4711')).results;
      assert.match(best?.snippet.map(({ text }) => text).join('') ?? '', /Call extension 4711/);
      assert.deepEqual(await paths('"call extension 4711"'), ['0.html']);
      assert.equal((await paths('chapter charlie'))[0], '2.html');
    });

    it('leads to the section that contains a phrase, with the phrase in the snippet', async () => {
      const filler = 'The template exists, and does not raise. '.repeat(20);
      await build('guide-1', {
        'index.html': page(
          'Guide',
          `<h1>Guide</h1><h2 id="a">Raised templates</h2><p>A template that does not exist is raised.</p>
           <h2 id="b">Errors</h2><p>${filler}Raised, if a template does not exist. ${filler}</p>`,
        ),
      });
      const [best] = (await search('"raised if a template does not exist"')).results;
      assert.equal(best?.anchor, 'b');
      assert.match(
        best?.snippet.map(({ text }) => text).join('') ?? '',
        /Raised, if a template does not exist/,
      );
    });

    it('finds a phrase only in its exact form', async () => {
      await build('guide-1');
      assert.deepEqual(await paths('"cool cellar"'), ['apples.html']);
      assert.deepEqual(await paths('"Cool, cellar"'), ['apples.html']);
      assert.deepEqual(await paths('"cellar cool"'), []);
    });

    it('searches the given revisions and no others', async () => {
      await build('guide-1');
      await build('other-1', { 'a.html': page('Apple trees', '<p>apple</p>') });
      assert.deepEqual(await paths('trees', ['guide-1']), []);
      assert.deepEqual(await paths('trees', ['guide-1', 'other-1']), ['a.html']);
      assert.deepEqual(await paths('project:other apple', ['guide-1', 'other-1']), ['a.html']);
      assert.deepEqual(await paths('project:nobody apple', ['guide-1', 'other-1']), []);
      assert.deepEqual(await paths('apple', []), []);
    });

    it("requires no word on a page that is in its project's name", async () => {
      await build('guide-1');
      await build('other-1', { 'a.html': page('Cellars', '<p>stone</p>'), 'b.html': page('Other', 'x') });
      assert.equal((await search('other stone', ['guide-1', 'other-1'])).results[0]?.path, 'a.html');
    });

    it('names revisions without an index, and searches all other revisions', async () => {
      await build('guide-1');
      const { results, missing } = await search('cellar', ['guide-1', 'guide-2']);
      assert.deepEqual(missing, ['guide-2']);
      assert.equal(results.length, 1);
      assert.deepEqual([await index.has('guide-1'), await index.has('guide-2')], [true, false]);
    });

    it('drops a revision, and ignores a missing one', async () => {
      await build('guide-1');
      await search('apple');
      await index.drop('guide-1');
      await index.drop('guide-1');
      assert.equal(await index.has('guide-1'), false);
      const { results, missing } = await search('apple');
      assert.deepEqual({ results, missing }, { results: [], missing: ['guide-1'] });
    });

    it('replaces the index of a revision as a whole, or keeps the old one', async () => {
      await build('guide-1');
      await search('apple');
      const failing = { ...siteOf(GUIDE), pages: () => failAfterOne() };
      await assert.rejects(index.build('guide-1', failing), /disk is gone/);
      assert.equal((await paths('cellar')).length, 1);
      await build('guide-1', { 'new.html': page('Plums', '<p>plum</p>') });
      assert.deepEqual([await paths('cellar'), await paths('plum')], [[], ['new.html']]);
    });

    it('leaves nothing of a failed first build', async () => {
      await assert.rejects(index.build('guide-1', { ...siteOf(GUIDE), pages: () => failAfterOne() }));
      assert.equal(await index.has('guide-1'), false);
    });

    it('aborts a build on request, and leaves nothing', async () => {
      const stop = new AbortController();
      const site = siteOf(GUIDE);
      const stopping = {
        ...site,
        async *pages() {
          for await (const page of site.pages()) {
            yield page;
            stop.abort(new Error('nobody wants it'));
          }
        },
      };
      await assert.rejects(index.build('guide-1', stopping, stop.signal), /nobody wants it/);
      assert.equal(await index.has('guide-1'), false);
    });

    it('names the last searched heading of a page that is too long', async () => {
      const deep = '<div>'.repeat(600);
      const built = await build('guide-1', {
        ...GUIDE,
        'one.html': page('One', `<p>mango</p><h2>Ripe fruit</h2><p>mango${deep}papaya`),
        'two.html': page('Two', `<p>mango${deep}papaya`),
        'three.html': page('Three', '<p>mango'),
      });
      assert.deepEqual(built, { pages: 8, cut: 2 });
      const { results } = await search('mango');
      assert.deepEqual(
        new Map(results.map(({ path, readTo }) => [path, readTo])),
        new Map([
          ['one.html', 'Ripe fruit'],
          ['two.html', ''],
          ['three.html', undefined],
        ]),
      );
      const [asked] = (await index.search('mango fruit', live('guide-1'), { limit: 1, isQuestion: true }))
        .results;
      assert.deepEqual([asked?.path, asked?.readTo], ['one.html', 'Ripe fruit']);
      assert.deepEqual(await paths('papaya'), []);
    });

    it('leaves out noindex pages', async () => {
      await build('guide-1');
      assert.deepEqual(await paths('unfindable'), []);
    });

    it('gives results page by page', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 70 }, (_, at) => [
          `p${at}.html`,
          page(`Page ${at}`, `<p>${'mango '.repeat(1 + ((at * 31) % 17))}</p>`),
        ]),
      );
      await build('guide-1', files);
      const all = await search('mango', ['guide-1'], 70);
      assert.equal(all.total, 70);
      const cut: string[] = [];
      for (let offset = 0; offset < 70; offset += 9) {
        const { results, total } = await search('mango', ['guide-1'], 9, offset);
        assert.equal(total, 70);
        cut.push(...results.map(({ path }) => path));
      }
      assert.deepEqual(
        cut,
        all.results.map(({ path }) => path),
      );
    });

    it('accepts any text as words', async () => {
      await build('guide-1');
      const hostile = [
        '',
        ' ',
        '"',
        '""',
        '"""',
        '*',
        'apple*',
        '*apple',
        'NEAR(apple pear)',
        'apple AND',
        'NOT apple',
        'title:apple',
        '{about} : apple',
        '^apple',
        'apple + pear',
        "'; DROP TABLE words; --",
        '\0',
        'apple\0pear',
        '((((',
        '-apple',
        'project:',
        'project:guide',
        'project:"',
        '\ud800',
        '\udfff apple',
        '%s%n',
        '../..',
        '<script>alert(1)</script>',
        'ﷺ',
        '🍎',
        'apple OR pear',
        'a'.repeat(100_000),
        'apple '.repeat(10_000),
        '"apple '.repeat(10_000),
        '管'.repeat(5_000),
      ];
      for (const query of hostile) {
        const { results, missing } = await search(query);
        assert.ok(Array.isArray(results), query.slice(0, 50));
        assert.deepEqual(missing, [], query.slice(0, 50));
      }
    });

    it('returns text as text, whatever markup it contains', async () => {
      const text = '&lt;img src=x onerror=alert(1)&gt; mango &amp;amp; <b>bold</b>';
      await build('guide-1', {
        'x.html': page('&lt;script&gt;mango', `<h2 id='"&gt;'>${text}</h2><p>${text}</p>`),
      });
      const [best] = (await search('mango onerror')).results;
      assert.equal(best?.title, '<script>mango');
      const snippet = best?.snippet.map((run) => run.text).join('');
      assert.equal(snippet, '<img src=x onerror=alert(1)> mango &amp; bold');
      assert.deepEqual(
        best?.snippet.filter(({ isMarked }) => isMarked).map((run) => run.text),
        ['onerror', 'mango'],
      );
    });

    it('orders pages of equal score by the reads of their revisions, and no others', async () => {
      const apples = { 'apples.html': page('Apples', '<h1>Apples</h1><p>All about apples.</p>') };
      const pears = { 'pears.html': page('Pears', '<h1>Pears</h1><p>A pear is no apple.</p>') };
      for (const revision of ['a-1', 'b-1', 'c-1']) await build(revision, apples);
      await build('d-1', pears);
      const reads = new Map(Object.entries({ 'b-1': 3, 'c-1': 5, 'd-1': 9 }));
      const orderOf = async (options: Partial<SearchOptions>) => {
        const { results } = await index.search('apples', live('a-1', 'b-1', 'c-1', 'd-1'), {
          limit: 10,
          ...options,
        });
        return results.map(({ revision }) => revision);
      };
      assert.deepEqual(await orderOf({}), ['a-1', 'b-1', 'c-1', 'd-1']);
      assert.deepEqual(await orderOf({ reads }), ['c-1', 'b-1', 'a-1', 'd-1']);
      assert.deepEqual(await orderOf({ isQuestion: true }), ['a-1', 'b-1', 'c-1', 'd-1']);
      assert.deepEqual(await orderOf({ isQuestion: true, reads }), ['c-1', 'b-1', 'a-1', 'd-1']);
    });

    it('can be closed twice', async () => {
      await build('guide-1');
      await search('apple');
      await index.close();
      await index.close();
    });
  });
}

async function* failAfterOne() {
  yield { path: 'index.html', bytes: Buffer.from(page('Guide', 'x')) };
  throw new Error('the disk is gone');
}
