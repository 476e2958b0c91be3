import type { Project } from '../../../domain/index.js';
import { addressesAt } from '../addresses.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { ProjectLogo } from '../components/project-logo.js';
import { counted } from '../components/quantities.js';
import { OWN_ADDRESS, Snippet } from '../components/snippet.js';
import { VersionEntry } from '../components/version-entry.js';
import { pasteable } from '../help/help-examples.js';

export interface ProjectPageProps {
  readonly project: Project;
  /** Address of the server, for snippets; undefined when only the reader's browser knows it. */
  readonly address: string | undefined;
  /** CSP nonce for the scripts of this response. */
  readonly nonce: string;
}

/** `/-/projects/<project>`: the project, all its versions, and snippets to copy. */
export function ProjectPage({ project, address, nonce }: ProjectPageProps) {
  const addresses = useAddresses();
  const { name, directoryName, description, latest, versions } = project;
  return (
    <Layout title={name} scripts={{ nonce, sources: [addresses.script('copy')] }}>
      <div class="project-head">
        <ProjectLogo project={project} />
        <div>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p class="count">
            {name !== directoryName && (
              <>
                <code class="directory-name">{directoryName}</code> ·{' '}
              </>
            )}
            {counted(versions.length, 'version')}
          </p>
          {description !== '' && (
            <p class="lead">
              <bdi>{description}</bdi>
            </p>
          )}
          <p class="buttons">
            <a class="button" href={addresses.latest(project)}>
              Read {latest.label}
            </a>
            <a class="button button-quiet" href={addresses.latestArchive(project)}>
              Download zip
            </a>
          </p>
        </div>
      </div>
      <div class="project-body">
        <section aria-labelledby="versions">
          <h2 id="versions">Versions</h2>
          <ul class="plain-list versions">
            {versions.toReversed().map((version) => (
              <VersionEntry key={version.label} project={project} version={version} />
            ))}
          </ul>
        </section>
        <Copying project={project} address={address === undefined ? OWN_ADDRESS : pasteable(address)} />
      </div>
    </Layout>
  );
}

interface CopyingProps {
  readonly project: Project;
  readonly address: string;
}

function Copying({ project, address }: CopyingProps) {
  const addresses = useAddresses();
  const { uploads } = useSite();
  const { directoryName, latest } = project;
  const outside = addressesAt(address);
  return (
    <section class="copying" aria-labelledby="copying">
      <h2 id="copying">Use it elsewhere</h2>
      <Snippet title="Address of the latest version" lines={[outside.latest(project)]} />
      <Snippet
        title="Download the latest version"
        lines={[`curl -OJ ${address}/api/download/${directoryName}/latest`]}
      />
      {uploads && (
        <Snippet
          title="Publish another version"
          lines={[
            'curl -H "X-Token: $LECTERN_TOKEN" \\',
            `  -F "file=@${directoryName}-<version>-docs.zip" \\`,
            `  ${address}/api/upload`,
          ]}
        />
      )}
      <Snippet
        title="Badge, as Markdown"
        lines={[`[![docs](${outside.badge(project)})](${outside.latest(project)})`]}
      />
      <p>
        <img class="badge" src={addresses.badge(project)} alt={`docs: ${latest.label}`} height="20" />
      </p>
    </section>
  );
}
