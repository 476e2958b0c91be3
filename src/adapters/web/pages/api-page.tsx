import type { PageModels } from '../../../application/index.js';
import type { OpenApi } from '../../../formats/index.js';
import { Properties } from '../components/api/fields.js';
import { Operation } from '../components/api/operation.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';

/** `/-/api`: the description at `/api/spec`, in groups by use, with a command and examples for each operation. */
export function ApiPage({ description, address }: PageModels['api']) {
  const addresses = useAddresses();
  const { uploads } = useSite();
  const { schemas } = description.components;
  const groups = groupsOf(description);
  return (
    <Layout title="API" current="API" styles={['api']}>
      <h1>API</h1>
      <p class="lead">
        Everything that this server does for programs. The <a href={addresses.specification}>OpenAPI file</a>{' '}
        has all of it, to generate a client from. Every failure is JSON, with a reason for programs in{' '}
        <code>error</code> and one for people in <code>message</code>.
      </p>
      <p class="count">
        {uploads ? (
          <>
            Commands take the token from the variable <code>LECTERN_TOKEN</code>.
          </>
        ) : (
          'This server has no tokens, so nothing can be changed.'
        )}
      </p>
      <nav class="api-contents" aria-label="Operations">
        {groups.map(({ id, name, operations }) => (
          <div key={id}>
            <a class="contents-title" href={`#${id}`}>
              {name}
            </a>
            <ul class="plain-list">
              {operations.map(({ operation: { operationId, summary } }) => (
                <li key={operationId}>
                  <a class="quiet-link contents-link" href={`#${operationId}`}>
                    {summary}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {groups.map(({ id, name, description, operations }) => (
        <section key={id} class="api-group" id={id} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{name}</h2>
          <p>{description}</p>
          {operations.map((placed) => (
            <Operation key={placed.operation.operationId} {...placed} schemas={schemas} address={address} />
          ))}
        </section>
      ))}
      <section class="api-group" id="bodies" aria-labelledby="bodies-title">
        <h2 id="bodies-title">Fields of the bodies</h2>
        {Object.entries(schemas).map(([name, schema]) => (
          <section key={name} class="api-body" id={`body-${name}`} aria-labelledby={`body-${name}-title`}>
            <h3 id={`body-${name}-title`}>{name}</h3>
            <Properties schema={schema} />
          </section>
        ))}
      </section>
    </Layout>
  );
}

/** The groups of the description with their operations. */
function groupsOf({ tags, paths }: OpenApi) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return tags.map(({ name, description }) => ({
    id: `to-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    description,
    operations: all.filter(({ operation: { tags } }) => tags.includes(name)),
  }));
}
