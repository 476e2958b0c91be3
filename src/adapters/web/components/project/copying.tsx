import type { ComponentChildren } from 'preact';
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

/** Addresses and commands of a project, to copy: one tab for each purpose. Tabs are `details`, of which one is open. */
export function Copying({ project, address }: CopyingProps) {
  const addresses = useAddresses();
  const { uploads, client, mcp = false } = useSite();
  const { directoryName, latest } = project;
  const outside = addressesAt((path) => address + path);
  const readAt = addresses.latest(project);
  return (
    <section class="copying" aria-labelledby="copying">
      <h2 id="copying">Links and commands</h2>
      <div class="card panel ruled above-3 tabs">
        <Tab title="Link" open>
          <Snippet
            title="Latest version"
            lines={[readAt.startsWith('/') ? outside.latest(project) : readAt]}
          />
          <Snippet
            title="Badge, as Markdown"
            lines={[`[![docs](${outside.badge(project)})](${outside.latest(project)})`]}
          />
          <p>
            <img class="badge" src={addresses.badge(project)} alt={`docs: ${latest.label}`} height="20" />
          </p>
        </Tab>
        <Tab title="Download">
          <Snippet
            title="Latest version, as a zip"
            lines={[`curl -OJ ${address}/api/download/${directoryName}/latest`]}
          />
        </Tab>
        {uploads && (
          <Tab title="Publish">
            <Snippet
              title="A new version"
              lines={
                client === undefined ? curlLines(directoryName, address) : clientLines(directoryName, address)
              }
            />
            {client !== undefined && (
              <p class="count">
                SHA-256 of the client: <code>{client.sha256}</code>
              </p>
            )}
          </Tab>
        )}
        {mcp && (
          <Tab title="Agents">
            <AgentSetUp address={address} />
          </Tab>
        )}
      </div>
    </section>
  );
}

interface TabProps {
  readonly title: string;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

function Tab({ title, open, children }: TabProps) {
  return (
    <details class="tab" name="copying" open={open}>
      <summary>{title}</summary>
      <div class="tab-content stack">{children}</div>
    </details>
  );
}

/** The lines with which coding agents ask this server, to copy. */
function AgentSetUp({ address }: Pick<CopyingProps, 'address'>) {
  const addresses = useAddresses();
  const { signIn = false } = useSite();
  const clients = agentClients(address);
  const [signedIn] = agentClients(address, true);
  return (
    <>
      {clients.map(({ name, line }) => (
        <Snippet key={name} title={name} lines={[line]} />
      ))}
      {signIn && <Snippet title={`${signedIn.name}, signed in`} lines={[signedIn.line]} />}
      <p class="count">
        <a class="quiet-link" href={`${addresses.help}#agents`}>
          Tools for agents
        </a>
      </p>
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
