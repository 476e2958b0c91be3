// Makes the pictures of the README again: starts the built program on a library of made-up projects and Flask's
// documentation (Debian's python-flask-doc), and looks at it in Chromium. Run `npm run build` first.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { publish } from './publish.mjs';

const FLASK = '/usr/share/doc/python-flask-doc/html';
const PORT = 8089;
const SERVER = `http://127.0.0.1:${PORT}`;
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const images = fileURLToPath(new URL('../docs/images/', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'lectern-screenshots-'));
const home = join(place, 'data');

const THINGS = [
  'Billing',
  'Cache',
  'Config',
  'Geo',
  'Identity',
  'Ledger',
  'Mail',
  'Media',
  'Queue',
  'Router',
];
const KINDS = ['API', 'SDK', 'Handbook', 'Toolkit', 'Schema', 'Console'];
const GROUPS = ['Data', 'Internal tools', 'Mobile', 'Payments', 'Platform', 'Web'];
const TAGS = ['grpc', 'python', 'typescript', 'rest', 'kotlin'];
const TEAMS = ['Team Blue', 'Team Green', 'Team Red'];
const PAYMENTS = {
  name: 'Payments Guide',
  description: 'Takes payments by card, on the web and in apps.',
  group: 'Payments',
  owner: 'Team Blue',
  repository: 'https://git.example.org/payments',
  contact: 'blue@example.org',
  tags: ['sdk', 'python'],
};

function upload(project, version, files) {
  const { tokens } = JSON.parse(readFileSync(join(home, 'tokens.json'), 'utf8'));
  return publish(SERVER, tokens.admin.token, `${project}-${version}`, files);
}

const pageOf = (title) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>All about it.</p></main>`;

async function publishLibrary() {
  for (const [at, kind] of KINDS.entries()) {
    for (const [number, thing] of THINGS.entries()) {
      const name = `${thing} ${kind}`;
      const docinfo = {
        name,
        description: `How to use the ${name.toLowerCase()}, with examples`,
        group: GROUPS[(at + number) % GROUPS.length],
        owner: TEAMS[number % TEAMS.length],
        tags: [TAGS[(at * number) % TAGS.length]],
      };
      const label = `${1 + at}.${number}.${(at * number) % 4}`;
      const files = { 'index.html': pageOf(name), 'docinfo.json': JSON.stringify(docinfo) };
      await upload(name.toLowerCase().replace(' ', '-'), label, files);
    }
  }
  for (const label of ['1.9.0', '2.0.0', '2.1.0', '2.1.1', '3.0.0-beta.1']) {
    const files = { 'index.html': pageOf(`Payments ${label}`), 'docinfo.json': JSON.stringify(PAYMENTS) };
    for (let page = 0; page < 40; page += 1) files[`guide/${page}.html`] = pageOf(`Step ${page}`).repeat(50);
    await upload('payments', label, files);
  }
  const flask = Object.fromEntries(
    readdirSync(FLASK, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [relative(FLASK, path), readFileSync(path)]),
  );
  flask['docinfo.json'] = JSON.stringify({ name: 'Flask', group: 'Web', switcher: true });
  for (const label of ['1.9.9', '2.0.0', '2.1.0', '2.2.2', '2.3.0rc1']) await upload('flask', label, flask);
}

async function look() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const context = await browser.newContext({ viewport: { width: 1120, height: 760 } });
  const page = await context.newPage();
  const shoot = (name) => page.screenshot({ path: join(images, `${name}.png`) });
  for (const read of ['router-sdk', 'cache-sdk']) {
    await page.goto(`${SERVER}/-/projects/${read}`);
    await page.getByRole('link', { name: /^Read / }).click();
  }
  await page.goto(`${SERVER}/?search=payments`);
  await page.getByRole('button', { name: 'Favourite: Payments Guide' }).click({ force: true });
  await page.goto(SERVER);
  await page.mouse.move(0, 0);
  await shoot('index');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${SERVER}/-/projects/payments`);
  await page.getByText('just now').or(page.getByText('ago')).first().waitFor();
  await shoot('project');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1120, height: 620 });
  await page.goto(`${SERVER}/flask-2.1.0/quickstart.html`);
  await page.getByRole('button', { name: '2.1.0' }).click();
  await shoot('switcher');
  await browser.close();
}

execFileSync(process.execPath, [main, 'init', home]);
const server = spawn(
  process.execPath,
  [main, '-d', join(home, 'docs'), '--tokens', join(home, 'tokens.json'), '--port', String(PORT)],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LECTERN_LOG_LEVEL: 'warn' } },
);
try {
  while (!(await fetch(`${SERVER}/-/ready`).catch(() => undefined))?.ok) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await publishLibrary();
  await look();
} finally {
  server.kill();
  rmSync(place, { recursive: true });
}
