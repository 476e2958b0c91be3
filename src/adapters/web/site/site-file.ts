import * as z from 'zod';
import { faultsOf } from '../../../formats/schema-faults.js';
import { ConfigFileError, parseJson } from '../../../node/config-file.js';
import { type Accent, contrastFault } from './accent.js';
import { type Introduction, introductionFault, parseIntroduction } from './introduction.js';

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

const MAX_GROUPS = 200;
const MAX_SYNONYMS = 200;
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

/** What a site file says: whose server it is. */
export interface SiteFile extends Omit<z.infer<typeof siteFile>, 'introduction'> {
  readonly introduction?: Introduction;
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
