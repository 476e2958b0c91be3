import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { PlainHttpNote, TOKEN_INPUT } from '../components/token-field.js';
import { renderer } from '../libraries.js';
import { asset } from '../scripts.js';

/** `/-/api`: the description at `/api/spec`, shown by Swagger UI (`api.js`), with a form to try each operation. */
export function ApiPage() {
  const addresses = useAddresses();
  const { uploads } = useSite();
  return (
    <Layout
      title="API"
      current="API"
      styles={[addresses.style('api')]}
      scripts={{ libraries: [renderer.script], modules: [asset('api')] }}
    >
      <div class="api-head">
        <div>
          <h1>API</h1>
          <p class="lead">
            Everything that this server does for programs, with a form to try it here and now.{' '}
            <a href={addresses.specification}>The description itself</a> is OpenAPI 3.0, to generate a client
            from. Every failure is JSON, with a reason for programs in <code>error</code> and one for people
            in <code>message</code>.
          </p>
        </div>
        {uploads ? (
          <Token />
        ) : (
          <p class="field-hint">This server has no tokens, so nothing can be changed.</p>
        )}
      </div>
      {uploads && <PlainHttpNote />}
      <noscript>
        <p class="note">
          Showing the description needs JavaScript, which is switched off here.{' '}
          <a href={`${addresses.help}#api`}>Help</a> lists the operations.
        </p>
      </noscript>
      <div class="api" id="api" data-specification={addresses.specification} />
    </Layout>
  );
}

/** Input for the token. Not part of a form, so that no browser submits or stores it. */
function Token() {
  return (
    <div class="field">
      <label class="field-label" for="token">
        Token
      </label>
      <input {...TOKEN_INPUT} aria-describedby="token-hint" disabled />
      <p class="field-hint" id="token-hint">
        For uploading and deleting. Stays in this page, and is gone when you leave it.
      </p>
    </div>
  );
}
