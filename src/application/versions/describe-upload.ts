import { archiveNameOf, counted, describeName, isPreview, minuteOf, quote } from '../../domain/index.js';
import type { MissingAssets } from '../../formats/html/missing-assets.js';
import { baseSettingOf, type RootedLinks } from '../../formats/html/rooted-links.js';
import type { UploadResult } from './upload-version.js';

/**
 * Returns sentences for people: the result of an upload, with remarks.
 * @param path path of the site's address on the main host
 * @param host its address on a host of its own, if it has one, and whether the path leads there
 */
export function describeUpload(
  { version, replaced, content, meantPreview }: UploadResult,
  path = `/${version.directoryName}/`,
  host?: { readonly address: string; readonly isRedirected: boolean },
): string {
  const place = host?.address ?? path;
  const { hasIndex, docinfoProblem, redirectProblems, rootedLinks, missingAssets } = content;
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
  if (rootedLinks !== undefined && host?.isRedirected !== true) {
    sentences.push(
      host === undefined
        ? describeRootedLinks(rootedLinks, path)
        : `It was built for the root of a host: its links work there, not at ${path}`,
    );
  }
  if (missingAssets !== undefined) sentences.push(describeMissingAssets(missingAssets));
  return sentences.join('. ');
}

function describeRootedLinks({ links, pages, example, builder }: RootedLinks, place: string): string {
  const counts = `${counted(links, 'link')} in ${counted(pages, 'page')}`;
  const setting = baseSettingOf(builder, place) ?? `${place} as its base path`;
  return (
    `It was built for the root of a host: of a sample, ${counts} ${links === 1 ? 'leads' : 'lead'} out of it, such as ${quote(example)}. ` +
    `Build it again with ${setting}`
  );
}

function describeMissingAssets({ first, count }: MissingAssets): string {
  const more = count - first.length;
  const names = `${first.map(quote).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `Pages ask for styles or scripts that are not in the archive: ${names}`;
}
