import { type ProjectDescription, readDescription } from '../../../../domain/index.js';
import { jsonIn } from '../../../../formats/json.js';
import { readConfigFile } from '../../../../node/config-file.js';
import { yamlDocuments } from '../../../../node/yaml-documents.js';
import { startError } from '../../start-error.js';

const MAX_FILE_BYTES = 1024 * 1024;

export const TEXT_FIELDS = ['title', 'description', 'group', 'owner', 'repository', 'contact'] as const;
const FIELDS: readonly string[] = [...TEXT_FIELDS, 'tags'];

/** Annotation of an entity with the name of its project on this server. */
const ANNOTATION = 'lectern/project';
/** Kinds of entities that have documentation. */
const KINDS: readonly unknown[] = ['Component', 'API', 'System'];
/** A reference to an entity: `[<kind>:][<namespace>/]<name>`. */
const REFERENCE = /^(?:[^:/]+:)?(?:[^:/]+\/)?([^:/]+)$/;

type Fields = Readonly<Record<string, unknown>>;

/** A project that a file describes. */
interface Described {
  readonly project: string;
  /** Path of its name in the file. */
  readonly path: string;
  /** An empty text or list takes a field back. */
  readonly given: ProjectDescription;
}

interface Descriptions {
  readonly described: readonly Described[];
  /** Path and reason of each. */
  readonly faults: readonly string[];
}

/**
 * Reads the descriptions of projects from a file of JSON or YAML: documents with `projects`, and entities of Backstage. Entities of
 * other kinds than components, APIs and systems are left out.
 * @throws StartError for a file that cannot be read as YAML
 */
export async function readDescriptions(file: string): Promise<Descriptions> {
  const reader = new DescriptionsReader();
  try {
    const text = (await readConfigFile(file, MAX_FILE_BYTES)).toString('utf8').replace(/^\uFEFF/, '');
    const json = jsonIn(text);
    const documents = json === undefined ? await documentsOfYaml(text) : [json];
    for (const [index, document] of documents.entries()) {
      reader.read(document, documents.length === 1 ? '' : `document ${index + 1}: `);
    }
  } catch (error) {
    throw startError(file, error);
  }
  if (reader.faults.length === 0 && reader.described.size === 0)
    reader.faults.push('does not describe a project');
  return { described: [...reader.described.values()], faults: reader.faults };
}

/** Few runs of the client read YAML. */
async function documentsOfYaml(text: string): Promise<readonly unknown[]> {
  return [...yamlDocuments(await import('yaml'), text, { asWritten: true })];
}

class DescriptionsReader {
  readonly described = new Map<string, Described>();
  readonly faults: string[] = [];

  /** @param place of the document, in front of paths */
  read(document: unknown, place: string): void {
    if (document === null) return;
    const fields = fieldsOf(document);
    if (String(fields?.apiVersion).startsWith('backstage.io/')) this.readEntity(fields ?? {}, place);
    else if (fields?.projects !== undefined) this.readProjects(fields, place);
    else this.faults.push(`${place}expected 'projects' or a Backstage entity`);
  }

  private readProjects({ projects, ...others }: Fields, place: string): void {
    for (const field of Object.keys(others)) this.faults.push(`${place}${field}: unknown field`);
    const entries = fieldsOf(projects);
    if (entries === undefined)
      this.faults.push(`${place}projects: expected an object with project names as keys`);
    for (const [project, content] of Object.entries(entries ?? {})) {
      const path = `${place}projects.${project}`;
      const fields = fieldsOf(content);
      if (fields === undefined) this.faults.push(`${path}: expected fields`);
      else this.add(project, path, Object.entries(fields), (field) => `${path}.${field}`);
    }
  }

  private readEntity({ kind, metadata, spec }: Fields, place: string): void {
    if (!KINDS.includes(kind)) return;
    const { name, title, description, tags, annotations } = fieldsOf(metadata) ?? {};
    const { owner, system } = fieldsOf(spec) ?? {};
    const annotated = fieldsOf(annotations)?.[ANNOTATION];
    const path = `${place}metadata.${annotated === undefined ? 'name' : `annotations.${ANNOTATION}`}`;
    const project = annotated ?? name;
    if (typeof project !== 'string' || project === '') {
      this.faults.push(`${path}: expected the name of a project`);
      return;
    }
    const paths: Readonly<Record<string, string>> = { owner: 'spec.owner', group: 'spec.system' };
    const fields = Object.entries({
      title,
      description,
      tags,
      owner: referenced(owner),
      group: referenced(system),
    }).filter(([, value]) => value !== undefined);
    this.add(project, path, fields, (field) => place + (paths[field] ?? `metadata.${field}`));
  }

  private add(
    project: string,
    path: string,
    fields: readonly (readonly [field: string, value: unknown])[],
    pathOf: (field: string) => string,
  ): void {
    const lines = fields.map(([field, value]) => [field, onOneLine(value)] as const);
    const isTakenBack = ([field, value]: readonly [string, unknown]) =>
      FIELDS.includes(field) && (value === '' || (Array.isArray(value) && value.length === 0));
    const read = readDescription(
      lines.filter((line) => !isTakenBack(line)),
      (field, why) => this.faults.push(`${pathOf(field)}: ${why}`),
    );
    const given: ProjectDescription = { ...read, ...Object.fromEntries(lines.filter(isTakenBack)) };
    const first = this.described.get(project);
    if (first !== undefined) this.faults.push(`${path}: ${first.path} describes the same project`);
    else this.described.set(project, { project, path, given });
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Returns the name in a reference to an entity; other values as they are, to be checked as texts. */
function referenced(value: unknown): unknown {
  return typeof value === 'string' ? (REFERENCE.exec(value)?.[1] ?? value) : value;
}

/** Texts of YAML may have several lines. */
function onOneLine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onOneLine);
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value;
}
