import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { Changes } from '../../src/application/index.js';
import { ManageProject } from '../../src/application/projects/manage-project.js';
import { tokenActor } from '../../src/domain/index.js';
import { idOf, publish } from '../contracts/doc-store.js';

describe('Managing a project', () => {
  it("sets nothing for a project removed since this server's last scan", async () => {
    const docs = new MemoryDocStore();
    await publish(docs, 'a-1.0', { 'index.html': 'x' });
    const late = docs.catalogue();
    await docs.remove(idOf('a-1.0'), { purge: true });
    const before = docs.catalogue();
    const manageProject = new ManageProject({ catalogue: () => late }, new Changes(docs));
    const described = manageProject.describe(tokenActor('ci', { allowManage: true }), 'a', { title: 'Gone' });
    await assert.rejects(described, { code: 'project_not_found' });
    assert.equal(docs.catalogue(), before);
  });
});
