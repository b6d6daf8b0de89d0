import assert from 'node:assert/strict';
import { piecesOf, PushedPieces } from '../../../../../src/sdk/model/http/bodyPieces';
import { HeaderFields } from '../../../../../src/sdk/model/http/headerFields';
import { transportResponse } from '../../../../../src/sdk/model/http/transportResponse';

const url = 'http://localhost/v1/models';

function respond(status: number, body?: string, onCancel?: () => void): Response {
  const pieces = body === undefined ? undefined : new PushedPieces({ onCancel });
  pieces?.push(Buffer.from(body ?? ''));
  if (!onCancel) pieces?.end();
  const headers = new HeaderFields({ 'content-type': 'application/json' });
  return transportResponse({ url, status, statusText: 'Said', headers }, pieces);
}

describe('transportResponse', () => {
  it('has the head of the answer', () => {
    const { ok, status, statusText, url: asked, redirected, bodyUsed } = respond(299, '{}');
    assert.deepEqual([ok, status, statusText, asked, redirected, bodyUsed], [true, 299, 'Said', url, false, false]);
    assert.deepEqual([respond(300, '').ok, respond(199).ok], [false, false]);
    assert.equal(respond(200).headers.get('Content-Type'), 'application/json');
  });

  it('is a Response for those who ask', () => {
    assert.ok(respond(200, '{}') instanceof Response);
  });

  it('gives its body as pieces, and in every way of the platform', async () => {
    assert.equal(piecesOf(respond(200, '{}'))?.take().pieces.length, 1);
    assert.deepEqual(await respond(200, '{"a":1}').json(), { a: 1 });
    assert.equal(await respond(200, 'a').text(), 'a');
    assert.equal((await respond(200, 'ab').arrayBuffer()).byteLength, 2);
    assert.deepEqual(await (respond(200, 'ab') as Response & Pick<Blob, 'bytes'>).bytes(), new Uint8Array([97, 98]));
    assert.equal((await respond(200, 'ab').blob()).type, 'application/json');
    const response = respond(200, 'a');
    const copy = response.clone();
    assert.deepEqual([await response.text(), await copy.text(), response.bodyUsed], ['a', 'a', true]);
    assert.deepEqual([respond(204).body, await respond(204).text()], [null, '']);
  });

  it('closes the connection of a body that is cancelled', async () => {
    let cancelled = 0;
    const note = (): void => void (cancelled += 1);
    await respond(200, 'a', note).body?.cancel();
    piecesOf(respond(200, 'a', note))?.cancel();
    assert.equal(cancelled, 2);
  });
});
