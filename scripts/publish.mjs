// Publishes a made-up site, as curl would.
import JSZip from 'jszip';

/**
 * @param {string} server address
 * @param {string} token secret
 * @param {string} name `<project>-<version>` or `<project>~<preview>`
 * @param {Record<string, string>} files content by path
 */
export async function publish(server, token, name, files) {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  const form = new FormData();
  const bytes = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
  form.set('file', new Blob([bytes]), `${name}-docs.zip`);
  const answer = await fetch(`${server}/api/upload`, {
    method: 'POST',
    headers: { 'X-Token': token },
    body: form,
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}
