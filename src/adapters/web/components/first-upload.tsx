import { code } from '../help/block.js';
import { clientCommands, fetchClient, uploadCommand } from '../help/help-examples.js';
import { takesTokens, useAddresses, useSite } from './page-context.js';
import { Prose } from './prose.js';

/** How to publish on a server without projects: in the browser, with the client, with curl. */
export function FirstUpload({ address }: { readonly address: string }) {
  const addresses = useAddresses();
  const site = useSite();
  const { uploads, client } = site;
  const fetched = client === undefined ? [] : [fetchClient(address)];
  return (
    <section class="notice" aria-labelledby="first">
      <h2 id="first">Publish the first documentation</h2>
      {!uploads && (
        <p>
          This server takes no uploads yet: start it with <code>--tokens</code>, then publish a built site
          from a terminal.
        </p>
      )}
      {takesTokens(site) && (
        <>
          <p>Choose a folder or a zip of a built site in the browser:</p>
          <p>
            <a class="button" href={addresses.upload}>
              Upload a site
            </a>
          </p>
        </>
      )}
      <p>{takesTokens(site) ? 'Or publish it from a terminal:' : 'With the client:'}</p>
      <Prose blocks={[code(...fetched, ...clientCommands(address, client))]} />
      <details>
        <summary>With zip and curl</summary>
        <p>Name the archive after project and version:</p>
        <Prose blocks={[code(...uploadCommand(address))]} />
      </details>
      <p>
        The site can be read here a moment later. <a href={addresses.help}>Help</a> has more about names,
        archives and tokens.
      </p>
    </section>
  );
}
