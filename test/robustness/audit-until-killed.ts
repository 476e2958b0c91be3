/** A process that records changes without pause, several at a time, and says of each one when it is recorded. */
import { AuditFile } from '../../src/adapters/audit-log/audit-file.js';
import { Audit } from '../../src/application/index.js';
import { tokenActor } from '../../src/domain/index.js';

const [path = '', name = ''] = process.argv.slice(2);
const audit = new Audit(await AuditFile.open(path, () => {}));
const actor = tokenActor('ci');
const after = { sha256: 'f'.repeat(64), filling: 'x'.repeat(500) };
let next = 0;
async function record(): Promise<void> {
  for (;;) {
    const version = `${name}.${next++}`;
    await audit.assertWritable();
    await audit.made({ action: 'publish', actor, project: 'a', version, after });
    process.stdout.write(`${version}\n`);
  }
}
await Promise.all([record(), record(), record(), record()]);
