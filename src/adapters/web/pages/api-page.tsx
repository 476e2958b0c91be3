import type { PageModels } from '../../../application/index.js';
import type { OpenApi } from '../../../formats/index.js';
import { Errors, generalErrorsOf, ownErrorsOf } from '../components/api/errors.js';
import { Properties } from '../components/api/fields.js';
import { Operation } from '../components/api/operation.js';
import { Fold } from '../components/fold.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { Copyable } from '../components/search/snippet.js';
import { asset } from '../public-files.js';

/** `/-/api`: the description at `/api/spec`, in groups by use, with a command and examples for each operation. */
export function ApiPage({ description, address }: PageModels['api']) {
  const addresses = useAddresses();
  const { uploads } = useSite();
  const { schemas } = description.components;
  const groups = groupsOf(description);
  const general = generalErrorsOf(description);
  const contents = [...groups, { id: 'errors', name: 'Errors' }, { id: 'bodies', name: 'Objects' }];
  return (
    <Layout title="API" current="API" styles={['api']} scripts={{ modules: [asset('copy')] }}>
      <div class="sides guide guide-api">
        <div>
          <h1>API</h1>
          <p class="lead">
            List, search, download, publish and manage documentation from programs. Generate a client from the{' '}
            <a href={addresses.specification}>OpenAPI file</a>.
          </p>
          <p class="count">
            {uploads ? (
              <>
                Operations that change something require a token, in the header <code>X-Token</code>. The
                commands here take it from the variable <code>LECTERN_TOKEN</code>.
              </>
            ) : (
              'This server has no tokens, so nothing can be changed.'
            )}
          </p>
        </div>
        <nav class="contents" aria-label="API">
          <ul class="plain-list line">
            {contents.map(({ id, name }) => (
              <li key={id}>
                <a class="soft-link contents-link" href={`#${id}`}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          {groups.map(({ id, name, description, operations }) => (
            <section key={id} class="api-group" id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{name}</h2>
              <p class="count">{description}</p>
              {operations.map((placed) => (
                <Operation
                  key={placed.operation.operationId}
                  {...placed}
                  errors={ownErrorsOf(placed.operation, general)}
                  schemas={schemas}
                  address={address}
                />
              ))}
            </section>
          ))}
          <section class="api-group" id="errors" aria-labelledby="errors-title">
            <h2 id="errors-title">Errors</h2>
            <div class="sides above-3 api-columns">
              <div>
                <p>
                  Every failure is JSON: <code>error</code> is a code for programs, and <code>message</code>{' '}
                  tells people what to do. Any operation can return these, besides its own.
                </p>
                <Errors errors={general} />
              </div>
              <Copyable title="A failure">{JSON.stringify(schemas.Failure?.example, null, 2)}</Copyable>
            </div>
          </section>
          <section class="api-group" id="bodies" aria-labelledby="bodies-title">
            <h2 id="bodies-title">Objects</h2>
            <p class="count">The fields of the bodies that operations take and return.</p>
            {Object.entries(schemas).map(([name, schema]) => (
              <Fold key={name} title={<h3>{name}</h3>} id={`body-${name}`}>
                <Properties schema={schema} />
              </Fold>
            ))}
          </section>
        </div>
      </div>
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
