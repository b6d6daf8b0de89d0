import assert from 'node:assert/strict';
import { parseOwnerSettings } from '../../../src/endpoint/ownerSettings';
import { declaredSettings } from '../../support/declaredSettings';

describe('how the owner has the agent served', () => {
  it('has the defaults of package.json', () => {
    const settings = {
      port: 8_642,
      limits: { maxRuns: 16, maxRunTokens: 100_000 },
      questionMs: 600_000,
      allowedOrigins: [],
    };
    assert.deepEqual(parseOwnerSettings({}), { ok: true, settings });
    const declared = Object.entries(declaredSettings).flatMap(([name, { default: value }]) => {
      const [, short] = /^openAgent\.endpoint\.(\w+)$/.exec(name) ?? [];
      return short === undefined ? [] : [[short, value]];
    });
    assert.equal(declared.length, 6);
    assert.deepEqual(parseOwnerSettings(Object.fromEntries(declared)), { ok: true, settings });
  });

  it('uses the limits that are set', () => {
    const raw = { port: 0, maxRuns: 1, maxRunTokens: 10, maxResponseTokens: 5, questionMinutes: 1 };
    assert.deepEqual(parseOwnerSettings(raw), {
      ok: true,
      settings: {
        port: 0,
        limits: { maxRuns: 1, maxRunTokens: 10, maxResponseTokens: 5 },
        questionMs: 60_000,
        allowedOrigins: [],
      },
    });
  });

  it('takes exact origins only', () => {
    for (const origin of ['app://obsidian.md', 'http://localhost:3000', 'https://example.org', 'http://[::1]:81']) {
      const parsed = parseOwnerSettings({ allowedOrigins: [origin] });
      assert.deepEqual(parsed.ok && parsed.settings.allowedOrigins, [origin]);
    }
    const wrong = [
      '*',
      'null',
      '',
      'obsidian.md',
      'app://*',
      'https://*.example.org',
      'https://example.org/',
      'https://example.org/a',
    ];
    const more = [
      'HTTPS://example.org',
      'https://Example.org',
      'https://example.org:443',
      'http://localhost:80',
      'app://',
      'file://',
      ' app://a',
    ];
    for (const origin of [
      ...wrong,
      ...more,
      'https://a@b',
      'https://a?b',
      'https://a#b',
      'a://b,c://d',
      'a://b c://d',
      5,
      null,
      ['app://a'],
    ]) {
      const parsed = parseOwnerSettings({ allowedOrigins: ['app://obsidian.md', origin] });
      assert.equal(parsed.ok, false, String(origin));
    }
    for (const list of ['app://obsidian.md', { 0: 'app://obsidian.md' }, true]) {
      assert.equal(parseOwnerSettings({ allowedOrigins: list }).ok, false);
    }
  });

  it('refuses invalid settings, and accepts the ranges of package.json', () => {
    for (const [name, { minimum, maximum }] of Object.entries(declaredSettings)) {
      const [, short] = /^openAgent\.endpoint\.(\w+)$/.exec(name) ?? [];
      if (short === undefined || short === 'allowedOrigins') continue;
      for (const value of [minimum, maximum]) assert.equal(parseOwnerSettings({ [short]: value }).ok, true);
      for (const value of [Number(minimum) - 1, Number(maximum) + 1, '8642', 1.5]) {
        const problem = `${name} must be a whole number from ${minimum} to ${maximum}.`;
        assert.deepEqual(parseOwnerSettings({ [short]: value }), { ok: false, problem });
      }
    }
  });
});
