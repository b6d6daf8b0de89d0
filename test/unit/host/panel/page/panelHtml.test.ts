import assert from 'node:assert/strict';
import { panelHtml } from '../../../../../src/host/panel/page/panelHtml';

describe('panelHtml', () => {
  const html = panelHtml({
    scriptUri: 'https://w.example/main.js?a=1&b="2"',
    styleUri: 'https://w.example/main.css',
    cspSource: "'self' https://*.vscode-cdn.net",
    nonce: 'abc123',
    language: 'en',
  });

  it('allows its own script, style and font, and nothing else', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
    assert.equal(
      policy,
      [
        "default-src 'none'",
        "script-src 'nonce-abc123' 'strict-dynamic'",
        "style-src 'self' https://*.vscode-cdn.net",
        "font-src 'self' https://*.vscode-cdn.net",
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    );
  });

  it('has no inline script or style, and escapes its parts', () => {
    assert.doesNotMatch(html, /<style|style=| on[a-z]+=/);
    assert.deepEqual(html.match(/<script[^>]*>/g), [
      '<script type="module" nonce="abc123" src="https://w.example/main.js?a=1&amp;b=&quot;2&quot;">',
    ]);
  });

  it('gives the page its translations as data that cannot end the element', () => {
    const translations = { Stop: 'Anhalten </script><script>alert(1)</script>' };
    const translated = panelHtml({
      scriptUri: '/main.js',
      styleUri: '/main.css',
      cspSource: "'self'",
      nonce: 'abc123',
      language: 'de',
      translations,
    });
    const element = /<script type="application\/json" id="translations">([^<]*)<\/script>/.exec(translated);
    assert.deepEqual(JSON.parse(element![1]!), translations);
    assert.equal(translated.match(/<script/g)?.length, 2);
  });
});
