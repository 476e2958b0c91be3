import {
  arrayIn,
  type DocumentParsers,
  type DrawnPage,
  drawnPage,
  encoded,
  escaped,
  fieldsIn,
  jsonIn,
  nameIn,
  textIn,
} from './drawn-page.js';
import type { Viewer } from './drawn-site.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
const MAX_OPERATIONS = 20_000;
/** Max. numbers for one operation. */
const MAX_PARAMETERS = 100;
const MAX_TAGS = 100;
/** Max. characters of a description: of the API or an operation, and of a part of one. */
const MAX_DESCRIPTION = 50_000;
const MAX_PART = 1_000;
/** Max. characters of all pages: parts that are referred to come again and again. */
const MAX_CHARACTERS = 8_000_000;

/** Pages of an API, by its OpenAPI description (2.0 to 3.2) in JSON or YAML: one about the API, and one for each operation. */
export function openApiPages(text: string, viewer: Viewer, parsers: DocumentParsers): DrawnPage[] {
  const description = new Description(text, parsers);
  const pages: DrawnPage[] = [];
  let characters = 0;
  for (const page of description.pages(viewer)) {
    characters += page.html.length;
    if (characters > MAX_CHARACTERS) break;
    pages.push(page);
  }
  return pages;
}

/** The description in a page of `redocly build-docs` with Redoc 3, in a line. */
const INLINED = /^\s*const __redoc_definition = (\{.*\});$/m;

type Fields = Readonly<Record<string, unknown>>;

class Description {
  private readonly root: Fields;

  constructor(
    text: string,
    private readonly parsers: DocumentParsers,
  ) {
    const [, inlined] = /^\s*</.test(text) ? (INLINED.exec(text) ?? []) : [];
    const json = inlined ?? (/^\s*\{/.test(text) ? text : undefined);
    this.root = fieldsIn(json === undefined ? parsers.yaml(text) : jsonIn(json));
  }

  *pages(viewer: Viewer): Generator<DrawnPage> {
    if (nameIn(this.root.openapi ?? this.root.swagger) === undefined) return;
    const overview = this.overview();
    if (overview !== undefined) yield overview;
    let count = 0;
    for (const [path, item] of Object.entries(fieldsIn(this.root.paths))) {
      const shared = this.target(item);
      for (const method of METHODS) {
        if (typeof shared[method] !== 'object' || nameIn(path) === undefined) continue;
        if (count >= MAX_OPERATIONS) return;
        count += 1;
        yield this.operation(viewer, path, method, fieldsIn(shared[method]), shared);
      }
    }
  }

  private overview(): DrawnPage | undefined {
    const info = fieldsIn(this.root.info);
    const title = nameIn(info.title);
    if (title === undefined) return undefined;
    const tags = arrayIn(this.root.tags)
      .slice(0, MAX_TAGS)
      .map(fieldsIn)
      .map(({ name, description }) => {
        const heading = nameIn(name);
        return heading === undefined ? '' : `<h2>${escaped(heading)}</h2>${this.markdown(description)}`;
      });
    const heading = `<h1>${escaped(title)}</h1>`;
    return drawnPage('./', title, heading + this.markdown(info.description) + tags.join(''));
  }

  private operation(viewer: Viewer, path: string, method: string, fields: Fields, shared: Fields): DrawnPage {
    const id = nameIn(fields.operationId);
    const tags = arrayIn(fields.tags).flatMap((tag) => nameIn(tag) ?? []);
    const operation: Operation = { path, method, id, tag: tags[0] };
    const call = `${method.toUpperCase()} ${path}`;
    const title = nameIn(fields.summary) ?? id ?? call;
    const parts = [
      `<h1>${escaped(title)}</h1>`,
      id === undefined || id === title ? '' : `<h2>${escaped(id)}</h2>`,
      `<p><code>${escaped(call)}</code>${fields.deprecated === true ? ' Deprecated.' : ''}</p>`,
      this.markdown(fields.description),
      tags.length === 0 ? '' : `<p>Tags: ${escaped(tags.slice(0, MAX_TAGS).join(', '))}</p>`,
      this.parameters([...arrayIn(shared.parameters), ...arrayIn(fields.parameters)]),
      this.requestBody(fields.requestBody),
      this.responses(fields.responses),
    ];
    return drawnPage(`./#${ADDRESSES[viewer](operation)}`, title, parts.join(''));
  }

  private parameters(values: readonly unknown[]): string {
    return listOf(
      'Parameters',
      values.slice(0, MAX_PARAMETERS).map((value) => {
        const { name, in: place, required, description } = this.target(value);
        const facts = [textIn(place, MAX_PART), required === true ? 'required' : '']
          .filter(Boolean)
          .join(', ');
        return [nameIn(name), facts === '' ? '' : ` (${facts})`, description];
      }),
    );
  }

  private requestBody(value: unknown): string {
    const { description, content } = this.target(value);
    const about = textIn(description, MAX_PART);
    const types = Object.entries(fieldsIn(content)).slice(0, MAX_PARAMETERS);
    const properties = types.flatMap(([, type]) => this.propertiesOf(fieldsIn(type).schema));
    const names = types.map(([type]) => type).join(', ');
    if (about === '' && names === '') return '';
    const list = listOf('', properties.slice(0, MAX_PARAMETERS));
    return `<h2>Request body</h2><p>${escaped(about)} ${escaped(names)}</p>${list}`;
  }

  private propertiesOf(schema: unknown): (readonly [string, string, unknown])[] {
    return Object.entries(fieldsIn(this.target(schema).properties)).map(([name, value]) => [
      name,
      '',
      this.target(value).description,
    ]);
  }

  private responses(value: unknown): string {
    return listOf(
      'Responses',
      Object.entries(fieldsIn(value))
        .slice(0, MAX_PARAMETERS)
        .map(([status, response]) => [status, '', this.target(response).description]),
    );
  }

  /** Follows one reference within this file; returns other values as they are. */
  private target(value: unknown): Fields {
    const fields = fieldsIn(value);
    const reference = nameIn(fields.$ref);
    if (reference === undefined || !reference.startsWith('#/')) return fields;
    const names = reference.slice(2).split('/');
    return names
      .map(nameOfPointer)
      .reduce((at, name) => fieldsIn(Object.hasOwn(at, name) && at[name]), this.root);
  }

  private markdown(value: unknown): string {
    const text = textIn(value, MAX_DESCRIPTION);
    return text === '' ? '' : this.parsers.markdown(text);
  }
}

interface Operation {
  readonly path: string;
  /** HTTP method in lower case. */
  readonly method: string;
  /** `operationId` */
  readonly id: string | undefined;
  /** The first one. */
  readonly tag: string | undefined;
}

/** Addresses of operations below `./#`, as each viewer reads them; they open the front page in any case. */
const ADDRESSES: Readonly<Record<Viewer, (operation: Operation) => string>> = {
  /** `#operation/<id>`, or `#tag/<tag>/paths/~1pets/get` of one without an id. */
  redoc: ({ path, method, id, tag }) => {
    if (id !== undefined) return `operation/${encoded(id)}`;
    const above = tag === undefined ? '' : `tag/${encoded(redocSlug(tag))}`;
    return `${above}/paths/${encoded(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/${method}`;
  },
  /** `#/<tag>/<id>`; followed with `deepLinking: true` */
  'swagger-ui': ({ path, method, id, tag = 'default' }) =>
    `/${encoded(tag)}/${encoded(id ?? `${method}${path.replace(/\W/g, '_')}`)}`,
  /** `#tag/<tag>/GET/pets` */
  scalar: ({ path, method, tag }) => {
    const parts = [method.toUpperCase(), ...path.replace(/^\//, '').split('/')].map(encoded).join('/');
    return tag === undefined ? parts : `tag/${encoded(scalarSlug(tag))}/${parts}`;
  },
};

/** RFC 6901, section 4. */
function nameOfPointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function listOf(
  heading: string,
  items: readonly (readonly [name: string | undefined, facts: string, about: unknown])[],
): string {
  const lines = items.flatMap(([name, facts, about]) => {
    if (name === undefined) return [];
    const text = textIn(about, MAX_PART);
    return `<li><code>${escaped(name)}</code>${escaped(facts)}${text === '' ? '' : `: ${escaped(text)}`}</li>`;
  });
  if (lines.length === 0) return '';
  return `${heading === '' ? '' : `<h2>${heading}</h2>`}<ul>${lines.join('')}</ul>`;
}

/** Returns a tag as Redoc writes it in anchors, for letters without accents. */
function redocSlug(tag: string): string {
  return tag
    .trim()
    .replaceAll('&', 'and')
    .replace(/[^\w\s-]/g, '')
    .replace(/\s+/g, '-');
}

/** Returns a tag as Scalar writes it in anchors. */
function scalarSlug(tag: string): string {
  return tag
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replace(/\s/g, '-');
}
