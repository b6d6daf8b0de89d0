import assert from 'node:assert/strict';
import { resultText } from '../../../src/mcp/resultText';

describe('resultText', () => {
  it('returns text unchanged and names other content', () => {
    const text = resultText({
      content: [
        { type: 'text', text: 'one\ntwo' },
        { type: 'image', data: 'QUJD', mimeType: 'image/png' },
        { type: 'audio', data: 'QQ==', mimeType: 'audio/wav\nforged' },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
        { type: 'resource', resource: { uri: 'x://t', text: 'inside' } },
        { type: 'resource', resource: { uri: 'x://b', blob: 'QUI=', mimeType: 'application/zip' } },
      ],
    });
    assert.equal(
      text,
      [
        'one\ntwo',
        '[image of type image/png, 3 bytes: not shown]',
        '[audio of type audio/wav forged, 1 bytes: not shown]',
        '[resource file:///a: a]',
        '[resource x://t]\ninside',
        '[resource x://b of type application/zip, 2 bytes: not shown]',
      ].join('\n\n'),
    );
  });

  it('falls back to structured content, and says when a result is empty', () => {
    assert.equal(resultText({ content: [], structuredContent: { a: 1 } }), '{"a":1}');
    assert.equal(resultText({ content: [] }), 'The tool returned nothing.');
  });

  it('shortens long results', () => {
    const text = resultText({ content: [{ type: 'text', text: 'x'.repeat(100_000) }] });
    assert.equal(text, `${'x'.repeat(24_000)}… [76000 more characters]`);
  });
});
