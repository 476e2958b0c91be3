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
/** Fields of a docinfo, and files in it, that are named. */
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
  const { drawn, longPages, refusedCharsets, redirectProblems } = content;
  const { docinfoProblem, unknownFields, missingFiles } = content;
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
    missingFiles && filesMissing(missingFiles),
    redirectProblems === undefined ? undefined : redirects(redirectProblems),
    missingScripts && missing('scripts', missingScripts),
  ].filter((each) => each !== undefined);
}

/** Warns of a new project whose name is that of a preview of another one. */
export function perhapsAPreview({ project }: VersionId, meant: VersionId): SiteWarning {
  return {
    code: 'perhaps_a_preview',
    message: `${quote(project)} is a new project, but its name looks like a preview of ${quote(meant.project)}`,
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
      message: `The site was built for ${base}, and works only there, while that alias points to this version`,
      fix: `Build it with ${setting} to keep it working after that`,
    };
  }
  const target = base === ROOT_BASE ? 'the root of a host' : base;
  const counts = `${counted(links, 'link')} in ${counted(pages, 'page')}`;
  return {
    code,
    message:
      `The site was built for ${target}, so its styles or scripts won't load here: ` +
      `in a sample, ${counts} ${links === 1 ? 'points' : 'point'} outside the site, such as ${quote(example)}`,
    fix: `Rebuild it with ${setting}`,
  };
}

function missing(kind: 'styles' | 'scripts', { first, count }: SomePaths): SiteWarning {
  return {
    code: `missing_${kind}`,
    message: `Pages load ${kind} that are not in the archive: ${firstNames(first.map(quote), count)}`,
    fix: 'Include all files that the builder writes, and replace symbolic links with the files they point to',
  };
}

function drawnByScripts({ count, of }: DrawnPages): SiteWarning {
  return {
    code: 'drawn_by_scripts',
    message: `Scripts render the site: in a sample, ${count} of ${counted(of, 'page')} ${count === 1 ? 'has' : 'have'} almost no text, so search and agents find little`,
    fix: 'Turn on prerendering or static export in the builder, so that the pages contain the text',
  };
}

function noIndex(place: string): SiteWarning {
  return {
    code: 'no_index',
    message: `The site has no index.html at its root, so ${place} shows a list of files`,
    fix: 'Publish the directory that contains index.html',
  };
}

function pageTooLong({ first, count }: SomePaths): SiteWarning {
  return {
    code: 'page_too_long',
    message:
      `${counted(count, 'page')} ${count === 1 ? 'is' : 'are'} larger than ${READING_LIMITS.bytes / 1_000_000} MB, so search and ` +
      `agents read only the beginning: ${firstNames(first.map(quote), count)}`,
    fix: 'Split the content into several pages',
  };
}

function charsetNotTaken({ first, count }: RefusedCharsets): SiteWarning {
  const names = first.map(({ path, label }) => `${quote(path)} (${quote(label.slice(0, MAX_LABEL))})`);
  return {
    code: 'charset_not_taken',
    message:
      `${counted(count, 'file')} ${count === 1 ? 'declares a charset' : 'declare charsets'} that Lectern does not support, and ` +
      `${count === 1 ? 'is' : 'are'} sent as UTF-8: ${firstNames(names, count)}`,
    fix: 'Save them as UTF-8 and declare it',
  };
}

function missingPageReplaced({ example, builder }: RootedLinks, place: string): SiteWarning {
  return {
    code: 'missing_page_replaced',
    message: `The site's 404.html loads ${quote(example)}, which does not exist, so Lectern shows its own 404 page instead`,
    fix: `To show the 404 page of the site, build it with ${settingOf(builder, place)}`,
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

function filesMissing({ file, paths }: NonNullable<ArchiveContent['missingFiles']>): SiteWarning {
  const first = paths.slice(0, MAX_FIELDS).map(quote);
  return {
    code: 'docinfo_field',
    message: `${file} names files that are not in the site: ${firstNames(first, paths.length)}`,
    fix: 'Include these files, or correct their paths, which are relative to the root of the site',
  };
}

function redirects(problems: string): SiteWarning {
  return {
    code: 'redirects',
    message: problems,
    fix: 'Write each line as `/from /to 301`, with paths inside the site',
  };
}

function settingOf(builder: string | undefined, place: string): string {
  return baseSettingOf(builder, place) ?? `${place} as its base path`;
}
