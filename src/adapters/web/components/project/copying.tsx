import type { Project } from '../../../../domain/index.js';
import { addressesAt } from '../../addresses.js';
import { agentClients } from '../../help/help-examples.js';
import { useAddresses, useSite } from '../page-context.js';
import { Snippet } from '../search/snippet.js';

interface CopyingProps {
  readonly project: Project;
  /** Address of the server, as it is to be pasted. */
  readonly address: string;
}

/** Addresses and commands of a project, to copy. */
export function Copying({ project, address }: CopyingProps) {
  const addresses = useAddresses();
  const { uploads, client } = useSite();
  const { directoryName, latest } = project;
  const outside = addressesAt((path) => address + path);
  const readAt = addresses.latest(project);
  return (
    <section class="copying" aria-labelledby="copying">
      <h2 id="copying">Use it elsewhere</h2>
      <Snippet
        title="Address of the latest version"
        lines={[readAt.startsWith('/') ? outside.latest(project) : readAt]}
      />
      <Snippet
        title="Download the latest version"
        lines={[`curl -OJ ${address}/api/download/${directoryName}/latest`]}
      />
      {uploads && (
        <Snippet
          title="Publish another version"
          lines={
            client === undefined ? curlLines(directoryName, address) : clientLines(directoryName, address)
          }
        />
      )}
      {uploads && client !== undefined && (
        <p class="count">
          SHA-256 of the client: <code>{client.sha256}</code>
        </p>
      )}
      <AgentSetUp address={address} />
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

/** The lines with which coding agents ask this server, to copy. */
function AgentSetUp({ address }: Pick<CopyingProps, 'address'>) {
  const addresses = useAddresses();
  const { mcp = false } = useSite();
  if (!mcp) return null;
  const [first, ...others] = agentClients(address);
  return (
    <>
      <Snippet title={`Let ${first.name} read it`} lines={[first.line]} />
      <details class="agents">
        <summary>Cursor, VS Code and others</summary>
        {others.map(({ name, line }) => (
          <Snippet key={name} title={name} lines={[line]} />
        ))}
        <p class="count">
          <a class="soft-link" href={`${addresses.help}#agents`}>
            What agents can ask
          </a>
        </p>
      </details>
    </>
  );
}

function curlLines(directoryName: string, address: string): readonly string[] {
  return [
    'curl -H "X-Token: $LECTERN_TOKEN" \\',
    `  -F "file=@${directoryName}-<version>-docs.zip" \\`,
    `  ${address}/api/upload`,
  ];
}

function clientLines(directoryName: string, address: string): readonly string[] {
  return [
    `curl -fsSL ${address}/-/client.mjs -o lectern.mjs`,
    `LECTERN_URL=${address} node lectern.mjs push build/html --project ${directoryName} --version <version>`,
  ];
}
