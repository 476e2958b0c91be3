import type { Project } from '../../domain/index.js';
import { projectBody } from './projections.js';
import type { PublicAddress } from './public-address.js';

/** What stands before the projects of a list, between two of them, and behind them. */
export const BEGIN = Buffer.from('{"projects":[');
export const COMMA = Buffer.from(',');
export const endOf = (count: number) => Buffer.from(`],"count":${count}}`);

/** The JSON of project lists (interface section 2.3). A project is written once, however often it is listed. */
export class ListText {
  /** Parts of the text of all projects that was written last, so that they take no memory of their own. */
  private readonly parts = new WeakMap<Project, Buffer>();

  constructor(private readonly at: PublicAddress) {}

  /** The list of all projects. */
  ofAll(projects: readonly Project[]): Buffer {
    const parts = projects.map((project) => this.partOf(project));
    const text = listOf(parts);
    let start = BEGIN.length;
    for (const [index, project] of projects.entries()) {
      const end = start + (parts[index]?.length ?? 0);
      this.parts.set(project, text.subarray(start, end));
      start = end + COMMA.length;
    }
    return text;
  }

  /** The list of some of them. */
  of(projects: readonly Project[]): Buffer {
    return listOf(projects.map((project) => this.partOf(project)));
  }

  /** What a list says of one project. */
  partOf(project: Project): Buffer {
    return this.parts.get(project) ?? Buffer.from(JSON.stringify(projectBody(project, this.at)));
  }
}

const listOf = (parts: readonly Buffer[]) =>
  Buffer.concat([BEGIN, ...separated(parts, COMMA), endOf(parts.length)]);

/** The parts in their order, with the separator between any two. */
export const separated = (parts: readonly Buffer[], separator: Buffer) =>
  parts.flatMap((part, index) => (index === 0 ? part : [separator, part]));
