import { BlockList, isIP, type Socket } from 'node:net';

const UNIX = 'unix';

/** Origins of the reverse proxies that may say who a reader is: addresses, networks, Unix sockets. */
export class TrustedProxies {
  private readonly addresses = new BlockList();
  private readonly trustsUnix: boolean;

  /**
   * @param places addresses, networks such as `10.0.0.0/8`, and `unix`, with commas between them
   * @throws RangeError with the place that is invalid
   */
  constructor(places: string) {
    const named = places.split(',').map((place) => place.trim());
    this.trustsUnix = named.includes(UNIX);
    for (const place of named) if (place !== UNIX) this.add(place);
  }

  /** Whether a connection comes from such a proxy. False for a connection that has ended. */
  have({ remoteAddress, destroyed }: Pick<Socket, 'remoteAddress' | 'destroyed'>): boolean {
    if (remoteAddress === undefined) return this.trustsUnix && !destroyed;
    // A socket for both families has IPv4 addresses as `::ffff:10.0.0.1`, which the list takes for the same.
    return this.addresses.check(remoteAddress, isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4');
  }

  private add(place: string): void {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(place) ?? [];
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || length > bits) throw new RangeError(place);
    this.addresses.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
}
