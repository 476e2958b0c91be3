import { buffer } from 'node:stream/consumers';
import { assertDocument, type ProjectDocuments } from '../../application/index.js';
import type { ObjectClient } from './client/object-client.js';
import { keys } from './keys.js';
import { refusing } from './refusing.js';

/** Documents of projects, an object each. */
export class ObjectDocuments implements ProjectDocuments {
  constructor(private readonly client: ObjectClient) {}

  async read(project: string, name: string): Promise<string | undefined> {
    assertDocument(project, name);
    return refusing(async () => {
      const object = await this.client.get(keys.document(project, name));
      return object && (await buffer(object.body)).toString('utf8');
    });
  }

  async write(project: string, name: string, text: string | undefined): Promise<void> {
    assertDocument(project, name, text);
    const key = keys.document(project, name);
    await refusing(() =>
      text === undefined ? this.client.remove([key]) : this.client.put(key, Buffer.from(text)),
    );
  }
}
