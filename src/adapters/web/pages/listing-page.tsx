import type { PageModels } from '../../../application/index.js';
import { counted, isPreview, sizeOf } from '../../../domain/index.js';
import { Day } from '../components/day.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { SWITCHER } from '../public-files.js';

/** The root of a site without `index.html`. Links are relative, so that they also work under the `-latest` alias. */
export function ListingPage({ project, version, files, sizes, more, hasSwitcher }: PageModels['listing']) {
  const addresses = useAddresses();
  const { site, archive, publishedAt } = version.record;
  return (
    <Layout
      title={`Files of ${version.project} ${version.label}`}
      scripts={hasSwitcher ? { modules: [SWITCHER] } : undefined}
    >
      <div class="narrow">
        <h1>
          {version.project} {version.label}
        </h1>
        <p class="count">
          {more ? `The first ${counted(files.length, 'file')}` : counted(files.length, 'file')}
          {site !== undefined && ` · ${sizeOf(site.bytes)}`} · published <Day date={publishedAt} /> ·{' '}
          <a href={addresses.archive(version)}>
            Download as zip{archive !== undefined && `, ${sizeOf(archive.size)}`}
          </a>
        </p>
        <p>
          This {isPreview(version) ? 'preview' : 'version'} has no front page, so here are its files.{' '}
          {project !== undefined && <a href={addresses.project(project)}>Project page</a>}
        </p>
        <ul class="plain-list ruled files">
          {files.map((file, index) => (
            <li class="file" key={file}>
              <FileLink file={file} /> <span class="file-size tally">{sizeOf(sizes[index] ?? 0)}</span>
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
      {nameAt > 0 && <span class="small">{file.slice(0, nameAt)}</span>}
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
