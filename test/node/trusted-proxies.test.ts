import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrustedProxies } from '../../src/node/trusted-proxies.js';

describe('Trusted proxies', () => {
  const from = (remoteAddress: string | undefined, destroyed = false) => ({ remoteAddress, destroyed });

  it('match addresses and networks of both families, also IPv4 on a dual-stack socket', () => {
    const proxies = new TrustedProxies('10.1.0.0/16, 192.0.2.7,2001:db8::/32 ,::1');
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::5', '::1']) {
      assert.equal(proxies.have(from(address)), true, address);
    }
    for (const address of ['10.2.0.1', '::ffff:10.2.0.1', '192.0.2.8', '2001:db9::5', '127.0.0.1']) {
      assert.equal(proxies.have(from(address)), false, address);
    }
    assert.equal(proxies.have(from(undefined)), false);
  });

  it('match connections by a Unix socket on request, but no closed ones', () => {
    const proxies = new TrustedProxies('unix');
    assert.equal(proxies.have(from(undefined)), true);
    assert.equal(proxies.have(from(undefined, true)), false);
    assert.equal(proxies.have(from('127.0.0.1')), false);
  });

  it('are refused with an invalid address', () => {
    for (const places of [
      '',
      '10.0.0.0/33',
      '::1/129',
      'localhost',
      '10.0.0',
      '10.0.0.1/',
      '10.0.0.1,',
      'UNIX',
      '10.0.0.1 10.0.0.2',
    ]) {
      assert.throws(() => new TrustedProxies(places), RangeError, places);
    }
  });
});
