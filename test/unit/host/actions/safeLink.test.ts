import assert from 'node:assert/strict';
import { safeLink } from '../../../../src/host/actions/safeLink';

describe('safeLink', () => {
  it('accepts web and mail addresses', () => {
    assert.equal(safeLink('https://example.org/a?b#c'), 'https://example.org/a?b#c');
    assert.equal(safeLink('HTTP://Example.org'), 'http://example.org/');
    assert.equal(safeLink('mailto:ada@example.org'), 'mailto:ada@example.org');
  });

  for (const href of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,hi',
    'file:///etc/passwd',
    'vscode://some.extension/run',
    'command:workbench.action.quit',
    'vscode-remote://host/x',
    'ftp://example.org',
    'https://example.org@evil.example/',
    '//example.org',
    'src/a.ts',
    '',
  ]) {
    it(`refuses ${JSON.stringify(href)}`, () => assert.equal(safeLink(href), undefined));
  }
});
