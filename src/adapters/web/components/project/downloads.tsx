import { type Download, type Project, sizeOf } from '../../../../domain/index.js';
import { useAddresses } from '../page-context.js';

/** Files of the latest version to take with one, with their sizes. Nothing where there are none. */
export function Downloads({ project: { latest } }: { readonly project: Project }) {
  const { downloads = [] } = latest.record;
  if (downloads.length === 0) return null;
  return (
    <ul class="plain-list above-4" aria-label={`Downloads of ${latest.label}`}>
      {downloads.map((each) => (
        <DownloadEntry key={each.file} download={each} site={latest} />
      ))}
    </ul>
  );
}

function DownloadEntry({
  download,
  site,
}: {
  readonly download: Download;
  readonly site: Project['latest'];
}) {
  const addresses = useAddresses();
  const path = addresses.file(download.file);
  if (path === undefined) return null;
  return (
    <li>
      <a href={addresses.site(site) + path}>
        <bdi>{download.label}</bdi>
      </a>{' '}
      <span class="count">
        {endingOf(download.file)}
        {sizeOf(download.size)}
      </span>
    </li>
  );
}

/** The kind of a file as its name tells it, with what separates it from the size. */
function endingOf(file: string): string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(file)?.[1];
  return ending === undefined ? '' : `${ending.toUpperCase()}, `;
}
