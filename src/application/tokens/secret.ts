/** Returns a random secret: 256 bits, as base64url, which needs no quoting. */
export function randomSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/** Returns the SHA-256 of a secret's UTF-8 bytes, in lower-case hexadecimal. Random secrets need no slow hash. */
export async function sha256Of(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return Buffer.from(digest).toString('hex');
}
