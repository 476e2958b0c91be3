import type { Docinfo, VersionId } from '../../domain/index.js';

/** What many versions have alike, kept once for all of them: the project's name, labels, most docinfos. */
export class Shared {
  private readonly texts = new Map<string, string>();
  private readonly docinfos = new Map<string, Docinfo>();

  id({ project, label, directoryName }: VersionId): VersionId {
    return { project: this.text(project), label: this.text(label), directoryName };
  }

  docinfo(docinfo: Docinfo | undefined): Docinfo | undefined {
    if (docinfo === undefined) return undefined;
    const key = JSON.stringify(docinfo);
    const known = this.docinfos.get(key) ?? docinfo;
    this.docinfos.set(key, known);
    return known;
  }

  private text(text: string): string {
    const known = this.texts.get(text) ?? text;
    this.texts.set(text, known);
    return known;
  }
}
