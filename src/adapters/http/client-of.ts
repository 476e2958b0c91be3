/** Who has an address: the first 64 bits of one of IPv6, as clients choose the rest (RFC 4291, 2.5.1). Undefined for Unix sockets. */
export function clientOf(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const ipv4 = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!ipv4.includes(':')) return ipv4;
  const [beforeGap = ''] = ipv4.split('::');
  return [...beforeGap.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':');
}
