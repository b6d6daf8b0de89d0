import assert from 'node:assert/strict';
import { hasInternationalHost, pretendedAddress } from '../../../../src/host/actions/misleadingLink';

describe('the text of a link', () => {
  for (const [text, href] of [
    ['https://github.com', 'https://evil.example/?d=S'],
    ['github.com', 'https://evil.example/'],
    ['www.bank.de', 'https://evil.example/'],
    ['See https://github.com/a for more', 'https://evil.example/'],
    ['https://git\u200Bhub.com', 'https://evil.example/'],
    ['github．com', 'https://evil.example/'],
    ['https://example.com@evil.example/', 'https://example.com/'],
    ['https://localhost:1', 'http://localhost:2/'],
    ['help@github.com', 'mailto:help@evil.example'],
  ] as const) {
    it(`pretends: ${text} for ${href}`, () => assert.equal(pretendedAddress(text, href), text));
  }

  for (const [text, href] of [
    ['the documentation', 'https://example.com/docs'],
    ['https://example.com', 'https://example.com/'],
    ['example.com', 'https://www.example.com/a'],
    ['HTTPS://EXAMPLE.COM/b', 'https://example.com/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['main.ts', 'https://example.com/main.ts'],
    ['v1.2 of x.py', 'https://example.com/'],
    ['help@example.com', 'mailto:help@example.com'],
    ['', 'https://example.com/'],
  ] as const) {
    it(`does not pretend: ${text} for ${href}`, () => assert.equal(pretendedAddress(text, href), undefined));
  }

  it('is told apart by letters beyond a to z, in web and mail addresses', () => {
    const hosts = [
      'https://аpple.com/',
      'https://xn--80ak6aa92e.com',
      'https://a.bücher.example',
      'mailto:a@аpple.com',
    ];
    const international = (href: string): boolean => hasInternationalHost(new URL(href).href);
    assert.deepEqual(hosts.map(international), [true, true, true, true]);
    assert.deepEqual(['https://apple.com/ä?ö', 'mailto:a@apple.com'].map(international), [false, false]);
  });
});
