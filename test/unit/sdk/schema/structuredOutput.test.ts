import assert from 'node:assert/strict';
import * as z from 'zod';
import { Client } from '../../../../src/sdk/client';
import { AgentError } from '../../../../src/sdk/errors';
import { compileOutputSchema } from '../../../../src/sdk/schema/structuredOutput';
import { query } from '../../../../src/sdk/query';
import { tool } from '../../../../src/sdk/tool';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const City = z.object({ name: z.string(), people: z.int().min(1) });
const citySchema = {
  type: 'object',
  properties: { name: { type: 'string' }, people: { type: 'integer', minimum: 1 } },
  required: ['name', 'people'],
} as const;

describe('compileOutputSchema', () => {
  const answers: readonly (readonly [string, string])[] = [
    ['bare JSON', '{"name":"Bern","people":134000}'],
    ['JSON in a fence', 'Here it is:\n```json\n{"name":"Bern","people":134000}\n```\nAnything else?'],
    ['JSON among words', 'The city is {"name":"Bern","people":134000}.'],
  ];
  for (const [what, answer] of answers) {
    it(`reads ${what}`, () => {
      for (const schema of [City, citySchema]) {
        assert.deepEqual(compileOutputSchema(schema).check(answer), {
          ok: true,
          value: { name: 'Bern', people: 134000 },
        });
      }
    });
  }

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['text', 'Bern', /^the answer is not valid JSON$/],
    ['an answer that was cut off', '{"name":"Bern","peo', /^the answer is not valid JSON$/],
    ['every wrong field', '{"people":0}', /^name: expected string, received undefined; people: /],
    ['another type', '[1]', /^expected object, received array$/],
  ];
  for (const [what, answer, error] of wrong) {
    it(`names what is wrong with ${what}`, () => {
      for (const schema of [City, citySchema]) {
        const checked = compileOutputSchema(schema).check(answer);
        assert.match(checked.ok ? '' : checked.error, error);
      }
    });
  }

  it("returns the value with zod's defaults and transforms", () => {
    const Tags = z.object({ tags: z.array(z.string()).default([]), id: z.string().transform(Number) });
    assert.deepEqual(compileOutputSchema(z.object({ tags: z.array(z.string()).default([]) })).check('{}'), {
      ok: true,
      value: { tags: [] },
    });
    assert.deepEqual(compileOutputSchema(Tags).check('{"id":"7"}'), { ok: true, value: { tags: [], id: 7 } });
  });

  it('rejects a schema that cannot be described or checked', () => {
    for (const schema of [z.object({ at: z.date() }), { type: 'object', not: { required: ['a'] } }]) {
      assert.throws(
        () => compileOutputSchema(schema),
        (error) => error instanceof AgentError && error.message.startsWith('outputSchema cannot be used: '),
      );
    }
  });
});

describe('Client with an outputSchema', () => {
  const good = '{"name":"Bern","people":134000}';

  it('returns the answer as a value, and asks for it in the prompt and as a format', async () => {
    const { client, provider } = scriptedClient([textResponse(good)], { outputSchema: City });
    const { result } = await record(client.run('Which city?'));
    assert.deepEqual(result.structuredOutput, { name: 'Bern', people: 134000 });
    const [request] = provider.requests;
    assert.deepEqual(request?.responseFormat, { name: 'answer', schema: citySchema });
    assert.ok(request?.systemPrompt.startsWith('Be brief.\n\nYour final answer must be one JSON value'));
    assert.ok(request?.systemPrompt.endsWith(JSON.stringify(citySchema)));
  });

  it('tells the model the errors and accepts the corrected answer, with any tools before it', async () => {
    const look = tool('look', 'Look', {}, () => '134000');
    const { client, provider } = scriptedClient(
      [response([toolUse('c1', 'look')]), textResponse('{"name":"Bern"}'), textResponse(good)],
      { outputSchema: City, tools: [look] },
    );
    const { result } = await record(client.run('Which city?'));
    assert.deepEqual([result.outcome, result.structuredOutput], ['completed', { name: 'Bern', people: 134000 }]);
    assert.deepEqual(client.history.at(-2), {
      role: 'user',
      content:
        'Your answer does not match the JSON Schema: people: expected number, received undefined. Answer again, with the corrected JSON value and nothing else.',
    });
    assert.ok(provider.requests.every(({ responseFormat }) => responseFormat === undefined));
  });

  it('gives up after the allowed number of corrections', async () => {
    for (const maxOutputCorrections of [0, 2]) {
      const wrong = Array.from({ length: 5 }, () => textResponse('no'));
      const { client, provider } = scriptedClient(wrong, { outputSchema: City, maxOutputCorrections });
      const { result } = await record(client.run('Which city?'));
      assert.equal(provider.requests.length, maxOutputCorrections + 1);
      assert.equal(result.error?.code, 'invalid_output');
      assert.equal(result.hasError, true);
      assert.equal('structuredOutput' in result, false);
    }
  });

  it('corrects in manual mode too', async () => {
    const { client } = scriptedClient([textResponse('no'), textResponse(good)], {
      outputSchema: City,
      autoExecuteTools: false,
    });
    await client.query('Which city?');
    assert.deepEqual(await collect(client.receiveMessages()), [
      { type: 'text', text: 'no' },
      { type: 'output_rejected', error: 'the answer is not valid JSON', willCorrect: true },
      { type: 'text', text: good },
    ]);
  });

  describe('tells rejected answers from corrected ones', () => {
    const rejected = { answer: '{"name":"Bern"}', error: 'people: expected number, received undefined' };

    it('in the result: an answer that is right at once, a corrected one, and one that stays wrong', async () => {
      const right = scriptedClient([textResponse(good)], { outputSchema: City });
      assert.equal('rejectedOutputs' in (await record(right.client.run('Which city?'))).result, false);

      const corrected = scriptedClient([textResponse(rejected.answer), textResponse(good)], { outputSchema: City });
      const { result } = await record(corrected.client.run('Which city?'));
      assert.deepEqual(
        [result.structuredOutput, result.rejectedOutputs],
        [{ name: 'Bern', people: 134000 }, [rejected]],
      );

      const wrong = [textResponse(rejected.answer), textResponse('no')];
      const given = scriptedClient(wrong, { outputSchema: City, maxOutputCorrections: 1 });
      const { result: failed } = await record(given.client.run('Which city?'));
      assert.deepEqual(
        [failed.error?.code, failed.structuredOutput, failed.rejectedOutputs],
        ['invalid_output', undefined, [rejected, { answer: 'no', error: 'the answer is not valid JSON' }]],
      );
    });

    it('in the events, after the step and before the correction', async () => {
      const scripts = [textResponse(rejected.answer), textResponse('no')];
      const { client } = scriptedClient(scripts, { outputSchema: City, maxOutputCorrections: 1 });
      const { events } = await record(client.run('Which city?'));
      const told = events.filter(({ type }) =>
        ['step_end', 'output_rejected', 'user_message', 'run_end'].includes(type),
      );
      assert.deepEqual(
        told.map((event) => (event.type === 'output_rejected' ? event : event.type)),
        [
          'user_message',
          'step_end',
          { type: 'output_rejected', error: rejected.error, willCorrect: true },
          'user_message',
          'step_end',
          { type: 'output_rejected', error: 'the answer is not valid JSON', willCorrect: false },
          'run_end',
        ],
      );
    });

    it('in the blocks, before the error too', async () => {
      const { client } = scriptedClient([textResponse('no')], { outputSchema: City, maxOutputCorrections: 0 });
      await client.query('Which city?');
      const blocks: string[] = [];
      const read = async (): Promise<void> => {
        for await (const block of client.receiveMessages()) blocks.push(block.type);
      };
      await assert.rejects(read(), { code: 'invalid_output' });
      assert.deepEqual(blocks, ['text', 'output_rejected']);
    });
  });

  it('gives the text of `query` whole, and only once it matches', async () => {
    const scripts = [
      textResponse('no'),
      response([
        { type: 'thinking', text: 'So.' },
        { type: 'text', text: '{"name":"Bo"}' },
      ]),
      textResponse('no'),
    ];
    const { provider } = scriptedClient(scripts);
    const options = { model: 'm', baseUrl: 'http://a', provider, outputSchema: z.object({ name: z.string() }) };
    const messages = await collect(query('Who?', options));
    assert.deepEqual(
      messages.map(({ content }) => content),
      [[{ type: 'thinking', text: 'So.' }], [{ type: 'text', text: '{"name":"Bo"}' }]],
    );
    await assert.rejects(collect(query('Who?', { ...options, maxOutputCorrections: 0 })), { code: 'invalid_output' });
  });

  it('rejects an invalid schema', () => {
    const options = { systemPrompt: '', model: 'm', baseUrl: 'http://a', outputSchema: 'city' as never };
    assert.throws(() => new Client(options), /outputSchema: expected a zod type or a JSON Schema/);
  });
});
