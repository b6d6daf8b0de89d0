import assert from 'node:assert/strict';
import { summarizeModels } from '../../../../../src/agent/servers/access/modelSummaries';
import type { FoundServer } from '../../../../../src/agent/servers/probe/serverProbe';
import { LearnedQuirks } from '../../../../../src/agent/servers/learnedQuirks';
import { noQuirks } from '../../../../../src/sdk/model/wire/serverQuirks';

const baseUrl = 'http://127.0.0.1:8080/v1';

/** Whether the panel offers images, by what the server says, what the person set and what was learned. */
function takesImages(said: boolean | undefined, set: boolean | undefined, isRejected: boolean): boolean | undefined {
  const server = { baseUrl, models: [{ id: 'm', hasVision: said }] } as unknown as FoundServer;
  const quirks = new LearnedQuirks({ now: () => 0 });
  if (isRejected) quirks.memoryFor(baseUrl).learn('m', { ...noQuirks, images: false });
  const modelOptions = set === undefined ? {} : { m: { images: set } };
  return summarizeModels(server, { contextWindow: null, modelOptions }, quirks)[0]?.hasVision;
}

describe('whether a model takes images', () => {
  it('is what the server says, unless it has rejected one', () => {
    assert.equal(takesImages(undefined, undefined, false), undefined);
    assert.equal(takesImages(true, undefined, false), true);
    assert.equal(takesImages(false, undefined, false), false);
    assert.equal(takesImages(true, undefined, true), false);
  });

  it("is the person's setting where there is one", () => {
    for (const said of [undefined, true, false]) {
      for (const isRejected of [true, false]) {
        assert.equal(takesImages(said, true, isRejected), true);
        assert.equal(takesImages(said, false, isRejected), false);
      }
    }
  });
});
