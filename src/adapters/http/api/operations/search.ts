import {
  type FoundFacets,
  type FoundPages,
  type PageCount,
  type PageHit,
  pathOfHit,
  type SearchPages,
} from '../../../../application/index.js';
import { displayNameOf, type Located, nameInProject } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import { HttpFault } from '../../errors.js';
import type { PublicAddress } from '../../public-address.js';
import { textAnswer } from '../../response/answer.js';
import { Text } from '../../response/texts.js';
import type { ApiOperation } from '../api-operation.js';
import { isEmptySearch, pageSearchOf } from '../query.js';
import { countUnfound } from '../unfound-search.js';

/** `GET /api/search`: pages that match a query. */
export function searchOperation({ at, useCases }: AppParts, searchPages: SearchPages): ApiOperation {
  return {
    method: 'get',
    path: '/api/search',
    id: 'searchPages',
    use: 'Read and search',
    summary: 'Search pages',
    description:
      'Without `project`, searches the latest version of each project. Hidden versions and previews are searched only if `version` names them. With `version=all`, each page of a project is listed once, from the newest version that has it. Without `project`, pages of several projects with the same title and heading are one result, with the others in `same_in`. A page must contain all words; if few pages do, pages with most of them follow, each with the words that it `lacks`. Words such as `how` and `the` are optional beside two others. `"a phrase"` must match exactly, and `project:name` searches one project. Without `project`, a project name before the other words, with or without a version, selects that project (`cmake 3.25: link with mold`): see `in_project`. If that project has no page with most of the other words, all projects are searched for all words.',
    parameters: [
      'q',
      'ofProject',
      'ofVersion',
      'ofGroup',
      'ungrouped',
      'ofTag',
      'ofOwner',
      'allProjects',
      'facets',
      'limit',
      'resultOffset',
    ],
    requestHeaders: ['Accept-Language', 'If-None-Match'],
    answers: {
      200: {
        description: 'Pages found, best first. With `incomplete`, there is no `ETag`.',
        body: 'FoundPages',
        headers: ['ETag', 'Vary'],
      },
      304: { description: 'Not modified.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['project_not_found', 'version_not_found', 'preview_not_found'],
    handle: async (asked) => {
      const search = pageSearchOf(asked);
      if (isEmptySearch(search))
        throw new HttpFault('invalid_request', "Give the words to search for in 'q'");
      const found = await searchPages.find(() => asked.visitor.look(), search);
      countUnfound(asked, search.query, found, useCases);
      // The next search may have the time to find more.
      const cache = found.incomplete === true ? 'never' : 'revalidate';
      return { ...textAnswer(Text.json(foundBody(found, at)), cache), vary: ['Accept-Language'] };
    },
  };
}

function foundBody(found: FoundPages, at: PublicAddress): Body<'FoundPages'> {
  const { hits, total, correctedTo, omittedTerms, corrections, more, facets, inWords, indexing, incomplete } =
    found;
  return {
    results: hits.map((hit) => hitBody(hit, at)),
    total,
    ...(inWords === undefined ? {} : { in_project: versionBody(inWords) }),
    ...(more ? { more } : {}),
    ...(correctedTo === undefined ? {} : { corrected_to: correctedTo }),
    corrections: [...corrections],
    omitted_terms: [...omittedTerms],
    ...(facets === undefined ? {} : { facets: facetsBody(facets) }),
    indexing: indexing.length,
    ...(incomplete === true ? { incomplete } : {}),
  };
}

function facetsBody({ projects, groups, tags, pageKinds }: FoundFacets): Body<'FoundPages'>['facets'] {
  const counts = (values: readonly PageCount[]) => values.map(({ name, pages }) => ({ name, pages }));
  return {
    project: counts(projects),
    group: counts(groups.flatMap(({ name, pages }) => (name === undefined ? [] : { name, pages }))),
    tag: counts(tags),
    page_kind: counts(pageKinds),
  };
}

function hitBody(hit: PageHit, at: PublicAddress): Body<'FoundPage'> {
  const { path, title, heading, anchor, way, snippet, lacks, readTo, alsoIn, sameIn } = hit;
  return {
    ...placeBody(hit, at),
    path,
    title,
    ...(heading === undefined ? {} : { heading }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(way === undefined ? {} : { way: [...way] }),
    snippet: snippet.map(({ text, isMarked }) => ({ text, marked: isMarked })),
    ...(lacks === undefined ? {} : { lacks: [...lacks] }),
    ...(readTo === undefined ? {} : { read_to: readTo }),
    ...(alsoIn === undefined ? {} : { also_in: alsoIn.map(({ label }) => label) }),
    ...(sameIn === undefined ? {} : { same_in: sameIn.map((each) => placeBody(each, at)) }),
  };
}

/** Where a page is. */
function placeBody(hit: PageHit, at: PublicAddress) {
  return { ...versionBody(hit), url: at.to(pathOfHit(hit)) };
}

function versionBody(located: Located) {
  const { version } = located;
  return {
    project: version.project,
    project_name: displayNameOf(located),
    version: nameInProject(version),
  };
}
