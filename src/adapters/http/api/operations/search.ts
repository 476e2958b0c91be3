import {
  type FoundFacets,
  type FoundPages,
  type PageCount,
  type PageHit,
  pathOfHit,
  type SearchPages,
} from '../../../../application/index.js';
import { displayNameOf, nameInProject } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import { HttpFault } from '../../errors.js';
import type { PublicAddress } from '../../public-address.js';
import { textAnswer } from '../../response/answer.js';
import { Text } from '../../response/texts.js';
import type { ApiOperation } from '../api-operation.js';
import { isEmptySearch, pageSearchOf } from '../query.js';

/** `GET /api/search`: pages that say what is searched for. */
export function searchOperation({ at }: AppParts, searchPages: SearchPages): ApiOperation {
  return {
    method: 'get',
    path: '/api/search',
    id: 'searchPages',
    use: 'Read and search',
    summary: 'Searches the pages of the sites',
    description:
      'Without `project`, it searches the latest version of each project. Hidden versions and previews are found only where `version` names them. With `version=all` each page of a project comes once, as the newest version has it. Without `project`, pages of several projects with the same title and heading are one result, with the others in `same_in`. All words have to be in a page; where few pages have them all, those that lack one follow. `"a phrase"` has to be in the page as it is, and `project:name` searches in one project.',
    parameters: [
      'q',
      'ofProject',
      'ofVersion',
      'ofGroup',
      'ungrouped',
      'ofTag',
      'ofOwner',
      'facets',
      'limit',
      'resultOffset',
    ],
    requestHeaders: ['Accept-Language', 'If-None-Match'],
    answers: {
      200: {
        description: 'The pages that were found, best first. With `incomplete` there is no `ETag`.',
        body: 'FoundPages',
        headers: ['ETag', 'Vary'],
      },
      304: { description: 'Nothing has changed.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['project_not_found', 'version_not_found', 'preview_not_found'],
    handle: async (asked) => {
      const search = pageSearchOf(asked);
      if (isEmptySearch(search)) throw new HttpFault('invalid_request', "Give words to search for in 'q'");
      const found = await searchPages.find(() => asked.visitor.look(), search);
      // The next search may have the time to find more.
      const cache = found.incomplete === true ? 'never' : 'revalidate';
      return { ...textAnswer(Text.json(foundBody(found, at)), cache), vary: ['Accept-Language'] };
    },
  };
}

function foundBody(found: FoundPages, at: PublicAddress): Body<'FoundPages'> {
  const { hits, total, correctedTo, omittedTerms, corrections, more, facets, indexing, incomplete } = found;
  return {
    results: hits.map((hit) => hitBody(hit, at)),
    total,
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
  const { path, title, heading, anchor, way, snippet, readTo, alsoIn, sameIn } = hit;
  return {
    ...placeBody(hit, at),
    path,
    title,
    ...(heading === undefined ? {} : { heading }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(way === undefined ? {} : { way: [...way] }),
    snippet: snippet.map(({ text, isMarked }) => ({ text, marked: isMarked })),
    ...(readTo === undefined ? {} : { read_to: readTo }),
    ...(alsoIn === undefined ? {} : { also_in: alsoIn.map(({ label }) => label) }),
    ...(sameIn === undefined ? {} : { same_in: sameIn.map((each) => placeBody(each, at)) }),
  };
}

/** Where a page is. */
function placeBody(hit: PageHit, at: PublicAddress) {
  return {
    project: hit.version.project,
    project_name: displayNameOf(hit),
    version: nameInProject(hit.version),
    url: at.to(pathOfHit(hit)),
  };
}
