import { TrustedProxies } from '../../node/trusted-proxies.js';
import { type OptionReader, optionTable } from './options/option-reader.js';
import type { PublicPlace } from './options/public-place.js';
import type { FeatureOptions } from './options/serve-options.js';
import { StartError } from './start-error.js';

/** Options of read access. */
export interface AccessConfig {
  /** The access file; undefined lets everybody read everything. */
  readonly access: string | undefined;
  /** Whether what was private so far is shown to everybody. */
  readonly endsAccess: boolean;
  /** How a reverse proxy says who has signed in; headers in lower case. */
  readonly people:
    | {
        readonly userHeader: string;
        readonly groupsHeader: string | undefined;
        readonly proxies: TrustedProxies;
        readonly signInUrl: string | undefined;
      }
    | undefined;
}

const TABLE = optionTable({
  access: [
    '<file>',
    'JSON file with the rules for who can read which project; without it, everything is public',
  ],
  'end-access': ['', 'Make everything public, although --access was used here before'],
  'auth-user-header': [
    '<name>',
    'Header in which a reverse proxy sends the signed-in user, for the rules of --access; needs --trusted-proxies',
  ],
  'auth-groups-header': ['<name>', "Header in which the proxy sends the user's groups, comma-separated"],
  'trusted-proxies': [
    '<addresses>',
    'Where the proxy connects from, comma-separated: IP addresses, networks such as 10.0.0.0/8, or unix',
  ],
  'sign-in-url': [
    '<url>',
    'Address of the "Sign in" link on 404 pages; {url} is replaced by the address to return to',
  ],
  'allow-shared-origin': [
    '',
    'Allow sign-in without --project-hosts-redirect; scripts of any site can then read everything that their reader can',
  ],
});

/** The options of `lectern serve` that say who may read. */
export const accessOptions = {
  table: TABLE,
  read: (read, { place }) => readAccess(read, place),
} satisfies FeatureOptions<keyof typeof TABLE>;

/** @throws StartError for options that do not go together, or could open something by mistake */
function readAccess(read: OptionReader<keyof typeof TABLE>, place: PublicPlace): AccessConfig {
  const access = read.text('access');
  const endsAccess = read.flag('end-access');
  if (access !== undefined && endsAccess) throw new StartError('give --access or --end-access, not both');
  const user = read.text('auth-user-header');
  if (user === undefined) {
    for (const name of ['auth-groups-header', 'trusted-proxies', 'sign-in-url'] as const) {
      if (read.text(name) !== undefined) throw new StartError(`--${name} needs --auth-user-header`);
    }
    if (read.flag('allow-shared-origin')) {
      throw new StartError('--allow-shared-origin needs --auth-user-header');
    }
    return { access, endsAccess, people: undefined };
  }
  if (access === undefined) throw new StartError('--auth-user-header needs --access');
  const proxies = read.text('trusted-proxies');
  if (proxies === undefined) {
    throw new StartError(
      '--auth-user-header needs --trusted-proxies; otherwise anyone could send the header',
    );
  }
  if (place.hosts?.isRedirecting !== true && !read.flag('allow-shared-origin')) {
    throw new StartError(
      '--auth-user-header needs --project-hosts-redirect: on a shared host, scripts of any site can read everything that their reader can. To accept that, add --allow-shared-origin',
    );
  }
  const userHeader = headerName('auth-user-header', user);
  const groups = read.text('auth-groups-header');
  const groupsHeader = groups === undefined ? undefined : headerName('auth-groups-header', groups);
  if (groupsHeader === userHeader) {
    throw new StartError('--auth-groups-header: expected a different header than --auth-user-header');
  }
  return {
    access,
    endsAccess,
    people: {
      userHeader,
      groupsHeader,
      proxies: proxiesIn(proxies),
      signInUrl: signInUrl(read.text('sign-in-url')),
    },
  };
}

/** Headers that a client of any kind sends. */
const OF_CLIENTS = ['authorization', 'cookie', 'host', 'x-token'];

function headerName(option: string, value: string): string {
  const name = value.toLowerCase();
  if (/^[a-z0-9-]+$/.test(name) && !OF_CLIENTS.includes(name)) return name;
  throw new StartError(
    `--${option}: expected the name of a header that only the proxy sets, such as X-Auth-Request-Email, not '${value}'`,
  );
}

function proxiesIn(places: string): TrustedProxies {
  try {
    return new TrustedProxies(places);
  } catch (error) {
    throw new StartError(
      `--trusted-proxies: expected addresses, networks such as 10.0.0.0/8, or unix, not '${(error as Error).message}'`,
    );
  }
}

function signInUrl(value: string | undefined): string | undefined {
  if (value === undefined || /^(?:https?:\/\/[^\s/]|\/(?![/\\]))\S*$/.test(value)) return value;
  throw new StartError(
    `--sign-in-url: expected an address such as https://docs.example.org/oauth2/start?rd={url}, or a path, not '${value}'`,
  );
}
