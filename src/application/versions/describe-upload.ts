import {
  archiveNameOf,
  counted,
  describeName,
  isPreview,
  minuteOf,
  quote,
  ROOT_BASE,
} from '../../domain/index.js';
import type { MissingAssets } from '../../formats/html/missing-assets.js';
import { baseSettingOf, type RootedLinks } from '../../formats/html/rooted-links.js';
import type { RefusedCharsets } from '../ports/archives.js';
import type { UploadResult } from './upload-version.js';

/** Characters of a declared charset that are shown. */
const MAX_LABEL = 40;

/** Where a site that was uploaded stands. */
export interface Placement {
  /** Path of its address on the main host. */
  readonly path: string;
  /** Its address on a host of its own, if it has one. */
  readonly host?: string | undefined;
  /** The name under which it is read, if its pages ask for their files there; see `boundName`. */
  readonly bound?: string | undefined;
  /** Whether its own `404.html` finds no styles there, so that it is not shown. */
  readonly lacksMissingPage?: boolean | undefined;
}

/** Returns sentences for people: the result of an upload, with remarks. */
export function describeUpload(
  { version, replaced, content, meantPreview }: UploadResult,
  { path, host, bound, lacksMissingPage }: Placement = { path: `/${version.directoryName}/` },
): string {
  const place = host ?? path;
  const { hasIndex, docinfoProblem, redirectProblems, rootedLinks, missingPageLinks, missingAssets } =
    content;
  const { files } = content.facts.site;
  const { expiresAt } = version.record;
  const until = expiresAt === undefined ? '' : `, until ${minuteOf(expiresAt)}`;
  const sentences = [
    `${describeName(version)} is published at ${place} with ${counted(files, 'file')}${until}`,
  ];
  if (replaced)
    sentences.push(`It replaces the ${isPreview(version) ? 'preview' : 'version'} that was there`);
  if (meantPreview !== undefined) {
    sentences.push(
      `It is a new project, ${quote(version.project)}: for a preview of ${quote(meantPreview.project)} name the file ${archiveNameOf(meantPreview.directoryName)}`,
    );
  }
  if (!hasIndex) sentences.push(`There is no index.html at its root, so ${place} shows a list of its files`);
  if (docinfoProblem !== undefined) sentences.push(`Its docinfo was ignored: ${docinfoProblem}`);
  if (redirectProblems !== undefined) sentences.push(redirectProblems);
  const isReadOnHost = rootedLinks?.base === ROOT_BASE && host !== undefined;
  if (rootedLinks !== undefined && !isReadOnHost && bound !== version.directoryName) {
    sentences.push(describeRootedLinks(rootedLinks, path, bound));
  }
  if (missingPageLinks !== undefined && lacksMissingPage === true) {
    sentences.push(describeMissingPage(missingPageLinks, path));
  }
  if (missingAssets !== undefined) sentences.push(describeMissingAssets(missingAssets));
  if (content.refusedCharsets !== undefined) sentences.push(describeCharsets(content.refusedCharsets));
  return sentences.join('. ');
}

function describeRootedLinks(
  { base, links, pages, example, builder }: RootedLinks,
  place: string,
  bound: string | undefined,
): string {
  const setting = settingOf(builder, place);
  const target = base === ROOT_BASE ? 'the root of a host' : base;
  if (bound !== undefined) {
    return `It was built for ${target}, and is read there while that stands for this version. Build it with ${setting} to keep it readable afterwards`;
  }
  const counts = `${counted(links, 'link')} in ${counted(pages, 'page')}`;
  return (
    `It was built for ${target}: of a sample, ${counts} ${links === 1 ? 'leads' : 'lead'} out of it, such as ${quote(example)}. ` +
    `Build it again with ${setting}`
  );
}

function describeMissingPage({ example, builder }: RootedLinks, place: string): string {
  return (
    `Its 404.html asks for ${quote(example)}, which is not there, so readers of a missing page get Lectern's in its place. ` +
    `To have it shown, build it with ${settingOf(builder, place)}`
  );
}

function settingOf(builder: string | undefined, place: string): string {
  return baseSettingOf(builder, place) ?? `${place} as its base path`;
}

function describeMissingAssets({ first, count }: MissingAssets): string {
  return `Pages ask for styles or scripts that are not in the archive: ${namesOf(first.map(quote), count)}`;
}

function describeCharsets({ first, count }: RefusedCharsets): string {
  const names = first.map(({ path, label }) => `${quote(path)} (${quote(label.slice(0, MAX_LABEL))})`);
  return (
    `${counted(count, 'file')} ${count === 1 ? 'declares a charset' : 'declare charsets'} that Lectern does not take, and ` +
    `${count === 1 ? 'is' : 'are'} sent as UTF-8: ${namesOf(names, count)}`
  );
}

/** The first names, and the number of the others. @param count of all */
function namesOf(first: readonly string[], count: number): string {
  const more = count - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
