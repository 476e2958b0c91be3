import type { ComponentChildren } from 'preact';
import type { OpenApiSchema } from '../../../../formats/index.js';
import { Inline } from '../prose.js';

/** A parameter, or a field of a body. */
interface Field {
  readonly name: string;
  readonly schema: OpenApiSchema;
  readonly description?: string | undefined;
  /** `path, required`; empty for a field that may be absent. */
  readonly note: string;
}

/** A list of parameters or fields: name, type and limits, and what they mean. */
export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <dl class="api-fields">
      {fields.map(({ name, schema, description, note }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>{' '}
            <span class="tally">
              <Type schema={schema} />
              {[...(note === '' ? [] : [note]), ...limitsOf(schema)].map((each) => `, ${each}`).join('')}
            </span>
          </dt>
          <dd>
            {description !== undefined && <Inline text={description} />}
            <Properties schema={schema.items ?? schema} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The fields of an object. */
export function Properties({ schema: { properties, required = [] } }: { readonly schema: OpenApiSchema }) {
  if (properties === undefined) return null;
  return (
    <Fields
      fields={Object.entries(properties).map(([name, schema]) => ({
        name,
        schema,
        description: schema.description,
        note: required.includes(name) ? 'required' : '',
      }))}
    />
  );
}

/** Name of the schema that a schema is; undefined for one without a name. */
export function nameOf({ $ref, allOf }: OpenApiSchema): string | undefined {
  return ($ref ?? allOf?.[0]?.$ref)?.replace(/^.*\//, '');
}

/** Link to the fields of a schema with a name. */
export function SchemaLink({ name }: { readonly name: string }) {
  return <a href={`#body-${name}`}>{name}</a>;
}

function Type({ schema }: { readonly schema: OpenApiSchema }): ComponentChildren {
  const name = nameOf(schema);
  if (name !== undefined) return <SchemaLink name={name} />;
  if (schema.items === undefined) return schema.format ?? schema.type;
  return (
    <>
      list of <Type schema={schema.items} />
    </>
  );
}

function limitsOf({ minimum, maximum, enum: values, default: usual }: OpenApiSchema): readonly string[] {
  // Schemas of whole numbers without limits have the limits of JavaScript.
  const [min, max] = [minimum, maximum].map((each) =>
    Number.isSafeInteger(each) && Math.abs(Number(each)) < Number.MAX_SAFE_INTEGER ? each : undefined,
  );
  return [
    ...(max === undefined ? (min === undefined ? [] : [`at least ${min}`]) : [`${min} to ${max}`]),
    ...(values === undefined ? [] : [values.join(' or ')]),
    ...(usual === undefined || usual === '' ? [] : [`${usual} by default`]),
  ];
}
