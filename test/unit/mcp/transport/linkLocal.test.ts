import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isBlockedAddress, withoutLinkLocal } from '../../../../src/mcp/transport/linkLocal';

describe('withoutLinkLocal', () => {
  it('recognises link-local addresses in every spelling, and no others', () => {
    const blocked = ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', 'nonsense'];
    assert.deepEqual(
      blocked.map(isBlockedAddress),
      blocked.map(() => true),
    );
    const others = ['127.0.0.1', '192.168.1.2', '::1', 'fd00::1', '8.8.8.8'];
    assert.deepEqual(
      others.map(isBlockedAddress),
      others.map(() => false),
    );
  });

  it('recognises IPv4 addresses inside IPv6, by every gateway and tunnel', () => {
    const blocked = [
      ...['::169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:0:169.254.169.254', '::ffff:100.100.100.200'],
      ...['64:ff9b::a9fe:a9fe', '64:ff9b::169.254.0.1', '64:ff9b:1::a9fe:a9fe', '64:FF9B:0001::A9FE:A9FE'],
      ...['64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:0:a9:fea9:fe00:0'],
      ...['2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1', '2001::5601:5601', 'fd00::5efe:169.254.1.1'],
    ];
    assert.deepEqual(
      blocked.filter((address) => !isBlockedAddress(address)),
      [],
    );
    const others = ['64:ff9b::8.8.8.8', '2002:0808:0808::1', '2001:db8::a9fe:a9fe', '::ffff:192.168.1.1', '::'];
    assert.deepEqual(others.filter(isBlockedAddress), []);
  });

  it('finds a blocked address wherever it is embedded', () => {
    fc.assert(
      fc.property(fc.nat(0xffff), fc.constantFrom('64:ff9b::', '::ffff:', '2002:', '2001:0:'), (low, prefix) => {
        const inner = `a9fe:${low.toString(16)}`;
        const isOpen = prefix === '2002:' || prefix === '2001:0:';
        assert.ok(isBlockedAddress(isOpen ? `${prefix}${inner}::` : `${prefix}${inner}`));
      }),
    );
  });

  it('resolves a name before it sends anything', async () => {
    const sent: string[] = [];
    const reach: typeof fetch = async (input) => {
      sent.push(input instanceof Request ? input.url : String(input));
      return new Response();
    };
    const names: Record<string, readonly string[]> = { evil: ['10.0.0.1', '169.254.169.254'], good: ['10.0.0.1'] };
    const guarded = withoutLinkLocal(reach, async (host) => names[host] ?? []);
    await guarded('http://good/x');
    for (const url of ['http://evil/', 'http://[fe80::1]/', 'http://0xa9fea9fe/', 'http://2852039166/']) {
      await assert.rejects(guarded(url), /link-local/);
    }
    assert.deepEqual(sent, ['http://good/x']);
  });
});
