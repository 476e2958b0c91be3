import type { Version } from '../../../domain/index.js';
import { Day } from '../components/day.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { counted } from '../components/quantities.js';

export interface ListingPageProps {
  readonly version: Version;
  /** Paths inside the site. */
  readonly files: readonly string[];
  /** Whether the site has more files than these. */
  readonly more: boolean;
}

/** The root of a site without `index.html`. Links are relative, so that they also work under the `-latest` alias. */
export function ListingPage({ version, files, more }: ListingPageProps) {
  const addresses = useAddresses();
  return (
    <Layout title={`Files of ${version.project} ${version.label}`}>
      <div class="narrow">
        <h1>
          {version.project} {version.label}
        </h1>
        <p class="count">
          {more ? `The first ${counted(files.length, 'file')}` : counted(files.length, 'file')} · published{' '}
          <Day date={version.publishedAt} /> · <a href={addresses.archive(version)}>Download as zip</a>
        </p>
        <p>This version has no front page, so here is what it holds.</p>
        <ul class="plain-list files">
          {files.map((file) => (
            <li class="file" key={file}>
              <FileLink file={file} />
            </li>
          ))}
        </ul>
        {more && <p>There are more files than are listed here; the archive has them all.</p>}
      </div>
    </Layout>
  );
}

function FileLink({ file }: { readonly file: string }) {
  const addresses = useAddresses();
  const href = addresses.file(file);
  const nameAt = file.lastIndexOf('/') + 1;
  const name = (
    <bdi>
      {nameAt > 0 && <span class="directory">{file.slice(0, nameAt)}</span>}
      {file.slice(nameAt)}
    </bdi>
  );
  return href === undefined ? (
    name
  ) : (
    <a class="quiet-link" href={href}>
      {name}
    </a>
  );
}
