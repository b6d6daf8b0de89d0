import assert from 'node:assert/strict';
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
