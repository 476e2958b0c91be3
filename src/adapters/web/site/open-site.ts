import { lstat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import * as z from 'zod';
import { faultsOf } from '../../../formats/json.js';
import { ConfigFileError, parseJson, readConfigFile } from '../../../node/config-file.js';
import { type Introduction, introductionFault, parseIntroduction } from './introduction.js';

const MAX_BYTES = 64 * 1024;
const MAX_LOGO_BYTES = 256 * 1024;
const MAX_GROUPS = 200;
const MAX_SYNONYMS = 200;

const text = (max: number) =>
  z.string().trim().min(1, 'expected a text that is not empty').max(max, `longer than ${max} characters`);

const accentFor = (theme: keyof Accent) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'expected a colour such as #1f4f9e')
    .transform((value) => value.toLowerCase())
    .superRefine((value, context) => {
      const fault = contrastFault(theme, value);
      if (fault !== undefined) context.addIssue(fault);
    });

const word = text(60).regex(/^\S+$/, 'expected one word');

const siteFile = z.strictObject({
  title: text(60).optional(),
  logo: z
    .string()
    .regex(/\.(?:svg|png|jpe?g|webp)$/i, 'expected the path of an image: .svg, .png, .jpg or .webp')
    .optional(),
  accent: z
    .preprocess(
      (value) => (typeof value === 'string' ? { light: value, dark: value } : value),
      z.strictObject({ light: accentFor('light'), dark: accentFor('dark') }),
    )
    .optional(),
  introduction: text(4_000).optional(),
  links: z
    .array(
      z.strictObject({
        label: text(60),
        url: z
          .string()
          // Browsers read a backslash as `/`, so `/` and a backslash begin the address of another host.
          .regex(
            /^(?:https?:\/\/|mailto:|\/(?!\/))[^\s\\]+$/i,
            'expected an address without a backslash: https://…, mailto:… or /…',
          ),
      }),
    )
    .max(10, 'more than 10 links')
    .optional(),
  notice: text(500).optional(),
  groups: z
    .array(z.strictObject({ name: text(100), description: text(300).optional() }))
    .max(MAX_GROUPS, `more than ${MAX_GROUPS} groups`)
    .optional(),
  synonyms: z
    .record(word, z.array(word).min(1, 'expected at least one word').max(10, 'more than 10 words'))
    .refine((entries) => Object.keys(entries).length <= MAX_SYNONYMS, `more than ${MAX_SYNONYMS} entries`)
    .optional(),
});

/** Name, logo, colours, texts and links of the server, for all its pages. */
export interface Identity {
  /** Name of the server, in place of `Lectern`. */
  readonly title?: string | undefined;
  /** Path of the logo's address, without the base path. */
  readonly logo?: string | undefined;
  /** Path of the style sheet with the accent. */
  readonly style?: string | undefined;
  readonly introduction?: Introduction | undefined;
  /** Links of the footer. */
  readonly links?: readonly { readonly label: string; readonly url: string }[] | undefined;
  /** Groups of projects that come first on the index, in this order, each perhaps with a sentence. */
  readonly groups?:
    | readonly { readonly name: string; readonly description?: string | undefined }[]
    | undefined;
  /** Text above every page. */
  readonly notice?: string | undefined;
}

/** A file of the identity, kept in memory. */
export interface IdentityFile {
  /** Path of its address, without the base path. The extension, such as `.svg`, tells the media type. */
  readonly path: string;
  readonly content: Buffer;
}

/** Parsed content of a site file. */
interface SiteFile extends Omit<z.infer<typeof siteFile>, 'introduction'> {
  readonly introduction?: Introduction;
}

/**
 * Reads a site file and its logo, once.
 * @returns the identity of the server, its files, and synonyms for searches, both ways
 * @throws ConfigFileError with every fault; an error with an errno code when the site file cannot be read
 */
export async function openSite(file: string) {
  const source = (await readConfigFile(file, MAX_BYTES)).toString('utf8');
  const { logo, accent, synonyms = {}, ...said } = await parseSiteFile(source);
  const files: readonly IdentityFile[] = [
    ...(logo === undefined ? [] : [await logoFile(resolve(dirname(file), logo))]),
    ...(accent === undefined
      ? []
      : [{ path: '/-/identity/accent.css', content: Buffer.from(accentStyle(accent)) }]),
  ];
  const pathOf = (name: string) => files.find(({ path }) => path.startsWith(`/-/identity/${name}`))?.path;
  const identity: Identity = { ...said, logo: pathOf('logo'), style: pathOf('accent') };
  return { identity, files, synonyms: synonymsOf(synonyms) };
}

/**
 * Reads the text of a site file.
 * @throws ConfigFileError with every fault: `links[0].url: expected an address`
 */
export async function parseSiteFile(source: string): Promise<SiteFile> {
  const value = parseJson(source);
  if (value === undefined) throw new ConfigFileError(['the file: expected JSON, with an object']);
  const parsed = siteFile.safeParse(value);
  const faults = parsed.error?.issues.flatMap((issue) => faultsOf([], issue)) ?? [];
  // Looked at whatever else is wrong, so that all faults are reported at once.
  const markdown = (value as { introduction?: unknown } | null)?.introduction;
  const introduction = typeof markdown === 'string' ? await parseIntroduction(markdown) : undefined;
  const fault = introduction && introductionFault(introduction);
  if (fault !== undefined) faults.push(`introduction: ${fault}`);
  if (!parsed.success || faults.length > 0) throw new ConfigFileError(faults);
  const { introduction: _, ...rest } = parsed.data;
  return introduction === undefined ? rest : { ...rest, introduction };
}

/** Returns the other words by word, both ways, in lower case: `k8s` has `kubernetes`, and `kubernetes` has `k8s`. */
export function synonymsOf(
  entries: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const synonyms = new Map<string, Set<string>>();
  const add = (word: string, other: string) => {
    if (word !== other) synonyms.set(word, (synonyms.get(word) ?? new Set()).add(other));
  };
  for (const [word, others] of Object.entries(entries)) {
    for (const other of others) {
      add(word.toLowerCase(), other.toLowerCase());
      add(other.toLowerCase(), word.toLowerCase());
    }
  }
  return new Map([...synonyms].map(([word, others]) => [word, [...others]]));
}

async function logoFile(file: string): Promise<IdentityFile> {
  const extension = extname(file).toLowerCase();
  const unread = (error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new ConfigFileError([`logo: ${file} cannot be read (${error.code})`]);
  };
  // Everybody can read the logo, so a link must not choose another file for it.
  const found = await lstat(file).catch(unread);
  if (!found.isFile()) {
    const what = found.isSymbolicLink() ? 'a link' : 'no regular file';
    throw new ConfigFileError([`logo: ${file} is ${what}; put the image itself there`]);
  }
  const content = await readConfigFile(file, MAX_LOGO_BYTES, 'logo').catch(unread);
  return { path: `/-/identity/logo${extension}`, content };
}

/** Accent colours by theme, as `#rrggbb`. */
interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** Backgrounds of each theme that links stand on; `lectern.css` calls them `--paper` and `--surface`. */
export const BACKGROUNDS: { readonly [Theme in keyof Accent]: readonly string[] } = {
  light: ['#ffffff', '#f6f7f9'],
  dark: ['#0f1217', '#181c23'],
};

/** Min. contrast of text (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5;

/** Returns why an accent cannot be read in a theme; undefined when it can. */
export function contrastFault(theme: keyof Accent, colour: string): string | undefined {
  const lowest = Math.min(...BACKGROUNDS[theme].map((background) => contrastOf(colour, background)));
  return lowest >= MIN_CONTRAST
    ? undefined
    : `${colour} has a contrast of ${(Math.floor(lowest * 10) / 10).toFixed(1)} on the ${theme} background; at least ${MIN_CONTRAST} is needed`;
}

/** The style sheet that gives the server's own pages an accent. */
export function accentStyle({ light, dark }: Accent): string {
  return `:root{${tokensOf(light)}}@media(prefers-color-scheme:dark){:root{${tokensOf(dark)}}}`;
}

/** Contrast of two colours in sRGB (WCAG 2.2, "contrast ratio"): from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function tokensOf(colour: string): string {
  const ink = contrastOf(colour, '#ffffff') >= contrastOf(colour, '#000000') ? '#ffffff' : '#000000';
  const strong = `color-mix(in srgb,${colour} 80%,var(--ink))`;
  return `--accent:${colour};--accent-strong:${strong};--accent-ink:${ink};--accent-surface:var(--surface)`;
}

/** Relative luminance of `#rrggbb`, from 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
