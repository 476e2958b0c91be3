import {
  archiveNameOf,
  boundName,
  type Contents,
  counted,
  firstNames,
  type Located,
  quote,
  ROOT_BASE,
  type SiteWarning,
  type VersionId,
} from '../../domain/index.js';
import type { SomePaths } from '../../formats/html/page-links.js';
import { READING_LIMITS } from '../../formats/html/reading-limits.js';
import { baseSettingOf, type RootedLinks } from '../../formats/html/rooted-links.js';
import { findsMissingPage, type HostOfSites } from '../pages/site-addresses.js';
import type { ArchiveContent, DrawnPages, RefusedCharsets } from '../ports/archives.js';

/** Characters of a declared charset that are shown. */
const MAX_LABEL = 40;
/** Fields of a docinfo that are named. */
const MAX_FIELDS = 3;

/**
 * Returns the warnings about a site that is uploaded, most severe first (contract section 5).
 * @param site with its version in place of the one that it replaces
 * @param seen the catalogue, likewise
 * @param at the main host
 */
export function siteWarnings(
  content: ArchiveContent,
  site: Located,
  seen: Contents,
  at: HostOfSites,
): readonly SiteWarning[] {
  const { rootedLinks, missingPageLinks, missingStyles, missingScripts } = content;
  const { drawn, longPages, refusedCharsets, docinfoProblem, unknownFields, redirectProblems } = content;
  const place = `${at.basePath}/${site.version.directoryName}/`;
  const elsewhere = rootedLinks && otherAddress(rootedLinks, site, place, at);
  const hasMissingPage =
    missingPageLinks === undefined ||
    // The setting that mends all pages mends that one, too.
    elsewhere !== undefined ||
    findsMissingPage(seen, site, missingPageLinks.base, { ...at, isOnHost: at.hasHosts });
  return [
    elsewhere,
    missingStyles && missing('styles', missingStyles),
    drawn && drawnByScripts(drawn),
    content.hasIndex ? undefined : noIndex(place),
    longPages && pageTooLong(longPages),
    refusedCharsets && charsetNotTaken(refusedCharsets),
    hasMissingPage ? undefined : missingPageReplaced(missingPageLinks, place),
    docinfoProblem === undefined ? undefined : docinfoIgnored(docinfoProblem),
    unknownFields && docinfoField(unknownFields),
    redirectProblems === undefined ? undefined : redirects(redirectProblems),
    missingScripts && missing('scripts', missingScripts),
  ].filter((each) => each !== undefined);
}

/** Warns of a new project whose name is that of a preview of another one. */
export function perhapsAPreview({ project }: VersionId, meant: VersionId): SiteWarning {
  return {
    code: 'perhaps_a_preview',
    message: `${quote(project)} is a new project, and its name reads like that of a preview of ${quote(meant.project)}`,
    fix: `For a preview, name the file ${archiveNameOf(meant.directoryName)}`,
  };
}

function otherAddress(
  { base, links, pages, example, builder }: RootedLinks,
  site: Located,
  place: string,
  { basePath, hasHosts }: HostOfSites,
): SiteWarning | undefined {
  const bound = boundName(site, base, basePath);
  if (bound === site.version.directoryName || (base === ROOT_BASE && hasHosts)) return undefined;
  const code = 'other_address';
  const setting = settingOf(builder, place);
  if (bound !== undefined) {
    return {
      code,
      message: `The site was built for ${base}, and is read there as long as that stands for this version`,
      fix: `Build it with ${setting} to keep it readable afterwards`,
    };
  }
  const target = base === ROOT_BASE ? 'the root of a host' : base;
  const counts = `${counted(links, 'link')} in ${counted(pages, 'page')}`;
  return {
    code,
    message:
      `The site was built for ${target}, so it loads without its styles or scripts: ` +
      `of a sample, ${counts} ${links === 1 ? 'leads' : 'lead'} out of it, such as ${quote(example)}`,
    fix: `Build it again with ${setting}`,
  };
}

function missing(kind: 'styles' | 'scripts', { first, count }: SomePaths): SiteWarning {
  return {
    code: `missing_${kind}`,
    message: `Pages ask for ${kind} that are not in the archive: ${firstNames(first.map(quote), count)}`,
    fix: 'Pack all files that the builder writes, with files in place of symbolic links',
  };
}

function drawnByScripts({ count, of }: DrawnPages): SiteWarning {
  return {
    code: 'drawn_by_scripts',
    message: `Scripts draw the site: ${count} of ${counted(of, 'page')} of a sample ${count === 1 ? 'has' : 'have'} almost no text, so search and agents find little`,
    fix: 'Have the builder write the text into the pages, which builders call prerendering or static export',
  };
}

function noIndex(place: string): SiteWarning {
  return {
    code: 'no_index',
    message: `There is no index.html at the root of the site, so ${place} shows a list of its files`,
    fix: 'Publish the directory that has index.html',
  };
}

function pageTooLong({ first, count }: SomePaths): SiteWarning {
  return {
    code: 'page_too_long',
    message:
      `${counted(count, 'page')} ${count === 1 ? 'has' : 'have'} more than ${READING_LIMITS.bytes / 1_000_000} MB of HTML, so search and ` +
      `agents read no more than ${count === 1 ? 'its beginning' : 'their beginnings'}: ${firstNames(first.map(quote), count)}`,
    fix: 'Have the builder write several pages in place of one',
  };
}

function charsetNotTaken({ first, count }: RefusedCharsets): SiteWarning {
  const names = first.map(({ path, label }) => `${quote(path)} (${quote(label.slice(0, MAX_LABEL))})`);
  return {
    code: 'charset_not_taken',
    message:
      `${counted(count, 'file')} ${count === 1 ? 'declares a charset' : 'declare charsets'} that Lectern does not take, and ` +
      `${count === 1 ? 'is' : 'are'} sent as UTF-8: ${firstNames(names, count)}`,
    fix: 'Save them as UTF-8, and declare that',
  };
}

function missingPageReplaced({ example, builder }: RootedLinks, place: string): SiteWarning {
  return {
    code: 'missing_page_replaced',
    message: `The site's 404.html asks for ${quote(example)}, which is not there, so readers of a missing page get Lectern's`,
    fix: `To have its own one shown, build it with ${settingOf(builder, place)}`,
  };
}

function docinfoIgnored(problem: string): SiteWarning {
  return {
    code: 'docinfo_ignored',
    message: `The docinfo was ignored: ${problem}`,
    fix: 'Correct the file, and publish again',
  };
}

function docinfoField({ file, fields }: NonNullable<ArchiveContent['unknownFields']>): SiteWarning {
  const first = fields.slice(0, MAX_FIELDS);
  const quoted = first.map(({ field }) => quote(field));
  const meant = first.flatMap((each) => (each.meant === undefined ? [] : [quote(each.meant)]));
  return {
    code: 'docinfo_field',
    message: `${file} has ${fields.length === 1 ? 'an unknown field' : 'unknown fields'}: ${firstNames(quoted, fields.length)}`,
    fix: meant.length === 0 ? 'Remove it' : `Did you mean ${meant.join(', ')}?`,
  };
}

function redirects(problems: string): SiteWarning {
  return {
    code: 'redirects',
    message: problems,
    fix: 'Write each line as `/from /to 301`, with paths of the site',
  };
}

function settingOf(builder: string | undefined, place: string): string {
  return baseSettingOf(builder, place) ?? `${place} as its base path`;
}
