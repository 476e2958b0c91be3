import { agentClients } from '../../help/help-examples.js';
import { useAddresses, useSite } from '../page-context.js';
import { Snippet } from '../search/snippet.js';

interface AgentSetUpProps {
  /** Address of the server, as it is to be pasted. */
  readonly address: string;
}

/** The lines with which coding agents ask this server, to copy. */
export function AgentSetUp({ address }: AgentSetUpProps) {
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
