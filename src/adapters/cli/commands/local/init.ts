import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { randomSecret } from '../../../../application/tokens/secret.js';
import { makeTokensFile } from '../../../../node/new-tokens-file.js';
import { errnoOf } from '../../../../node/system-errors.js';
import { packageVersion } from '../../package-version.js';
import { startError } from '../../start-error.js';
import { shellWord } from '../../terminal.js';

export const SAMPLE = 'hello-1.0.0-docs.zip';

const SAMPLE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hello</title>
<h1>Hello</h1>
<p>This site was uploaded as <code>${SAMPLE}</code>. Upload your own in the same way.</p>
</html>
`;

const SAMPLE_DOCINFO = 'name: Hello\ndescription: A first site, to check that everything works\n';

/**
 * Creates `<directory>` with an empty docs directory, a tokens file with one random token, and a sample archive to
 * upload. Never changes an existing directory.
 * @param env variables of the process, which tell whether npx runs it: then no `lectern` is on the path
 * @returns the next steps, for people
 * @throws StartError
 */
export async function init(directory: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    await mkdir(directory);
    await mkdir(join(directory, 'docs'));
    await makeTokensFile(join(directory, 'tokens.json'), {
      admin: { token: randomSecret(), allow_overwrite: true, allow_delete: true, allow_manage: true },
    });
    await writeFile(join(directory, SAMPLE), await sampleArchive(), { flag: 'wx' });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') {
      throw startError(directory, new Error('already exists; nothing was changed'));
    }
    throw startError(directory, error);
  }
  const docs = join(directory, 'docs');
  const tokens = join(directory, 'tokens.json');
  const program = env.npm_command === 'exec' ? `npx lectern@${packageVersion()}` : 'lectern';
  return [
    `Created ${docs} for the documentation and ${tokens} with one token, 'admin'.`,
    '',
    `Serve it:   ${program} -d ${shellWord(docs)} --tokens ${shellWord(tokens)}`,
    `Try it:     ${uploadCommand(directory, 'http://127.0.0.1:8080')}`,
    '',
  ].join('\n');
}

/** Returns a shell command that prints the secret of the token. */
export function secretCommand(directory: string): string {
  const tokens = JSON.stringify(join(directory, 'tokens.json'));
  return `node -p ${shellWord(`JSON.parse(fs.readFileSync(${tokens})).tokens.admin.token`)}`;
}

/** Returns a shell command that uploads the sample with the token, without showing the secret. */
function uploadCommand(directory: string, address: string): string {
  return `curl -H "X-Token: $(${secretCommand(directory)})" -F ${shellWord(formFile(join(directory, SAMPLE)))} ${address}/api/upload`;
}

/** Returns curl's `-F` value. curl ends a file name at a comma or semicolon, unless it is quoted. */
function formFile(path: string): string {
  return /[,;"\\]/.test(path) ? `file=@"${path.replace(/["\\]/g, '\\$&')}"` : `file=@${path}`;
}

async function sampleArchive(): Promise<Buffer> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(SAMPLE_PAGE), 'index.html');
  zip.addBuffer(Buffer.from(SAMPLE_DOCINFO), 'docinfo.yaml');
  zip.end();
  return buffer(zip.outputStream);
}
