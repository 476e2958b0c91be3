import type { Project } from '../../domain/index.js';
import { projectBody } from './projections.js';
import type { PublicAddress } from './public-address.js';

const BEGIN = Buffer.from('{"projects":[');
const COMMA = Buffer.from(',');

/** The JSON of project lists (interface section 2.3). A project is written once, however often it is listed. */
export class ListText {
  /** Parts of the text of all projects that was written last, so that they take no memory of their own. */
  private readonly pieces = new WeakMap<Project, Buffer>();

  constructor(private readonly at: PublicAddress) {}

  /** The list of all projects. */
  ofAll(projects: readonly Project[]): Buffer {
    const pieces = this.piecesOf(projects);
    const text = listOf(pieces);
    let start = BEGIN.length;
    for (const [index, project] of projects.entries()) {
      const end = start + (pieces[index]?.length ?? 0);
      this.pieces.set(project, text.subarray(start, end));
      start = end + COMMA.length;
    }
    return text;
  }

  /** The list of some of them. */
  of(projects: readonly Project[]): Buffer {
    return listOf(this.piecesOf(projects));
  }

  private piecesOf(projects: readonly Project[]): readonly Buffer[] {
    return projects.map(
      (project) => this.pieces.get(project) ?? Buffer.from(JSON.stringify(projectBody(project, this.at))),
    );
  }
}

function listOf(pieces: readonly Buffer[]): Buffer {
  const separated = pieces.flatMap((piece, index) => (index === 0 ? piece : [COMMA, piece]));
  return Buffer.concat([BEGIN, ...separated, Buffer.from(`],"count":${pieces.length}}`)]);
}
