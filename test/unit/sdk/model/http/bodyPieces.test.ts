import assert from 'node:assert/strict';
import { piecesOf, PushedPieces, withPieces, type BodyPieces } from '../../../../../src/sdk/model/http/bodyPieces';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function textOf(pieces: BodyPieces): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    await new Promise<void>((resolve, reject) => {
      pieces.whenReady((error) => (error ? reject(error) : resolve()));
    });
    const taken = pieces.take();
    texts.push(taken.pieces.map((piece) => new TextDecoder().decode(piece)).join('|'));
    if (taken.isOver) return texts;
  }
}

describe('the pieces of a body', () => {
  it('come together when several have arrived, and before the error that ended them', async () => {
    let takenCount = 0;
    const pieces = new PushedPieces({ onTaken: () => (takenCount += 1) });
    pieces.push(bytes('a'));
    pieces.push(bytes('b'));
    pieces.end(new Error('It is broken.'));
    pieces.push(bytes('c'));
    pieces.end();
    const errors: (string | undefined)[] = [];
    pieces.whenReady((error) => errors.push(error?.message));
    assert.equal(pieces.take().pieces.length, 2);
    pieces.whenReady((error) => errors.push(error?.message));
    assert.deepEqual([errors, takenCount], [[undefined, 'It is broken.'], 1]);
  });

  it('are read from the stream of any response', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ['a', 'b']) controller.enqueue(bytes(text));
        controller.close();
      },
    });
    const pieces = piecesOf(new Response(body));
    assert.ok(pieces);
    assert.deepEqual(await textOf(pieces), ['a', 'b', '']);
    assert.equal(piecesOf(new Response(null)), undefined);
  });

  it('fail as the stream does', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error('It is broken.')),
    });
    const pieces = piecesOf(new Response(body));
    assert.ok(pieces);
    await assert.rejects(textOf(pieces), /It is broken/);
  });

  it('are those that the transport gave with the response', async () => {
    const pieces = new PushedPieces();
    pieces.push(bytes('a'));
    pieces.end();
    assert.equal(piecesOf(withPieces(new Response('other'), pieces)), pieces);
  });
});
