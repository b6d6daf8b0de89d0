import assert from 'node:assert/strict';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as zod4 from 'zod';
import * as zodMini from 'zod/mini';
import { z as zod3 } from 'zod3';
import * as zod41 from 'zod41';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import { Client } from '../../../../src/sdk/client';
import type { Session } from '../../../../src/sdk/session/session';
import type { JsonObject } from '../../../../src/util/json';

/** `true` where both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The type of a client's `structuredOutput`. */
function outputOf<Output>(_client: Client<Output>): { readonly is: <Other>(isSame: Same<Output, Other>) => void } {
  return { is: () => {} };
}

const options: AgentOptions = { model: 'test-model', baseUrl: 'http://localhost:8080' };

describe('the type of structuredOutput', () => {
  it('follows the schema: the compiler checks it', () => {
    interface City {
      name: string;
      people: number;
    }
    outputOf(
      new Client({ ...options, outputSchema: zod4.object({ name: zod4.string(), people: zod4.int() }) }),
    ).is<City>(true);
    outputOf(
      new Client({ ...options, outputSchema: zod41.object({ name: zod41.string(), people: zod41.int() }) }),
    ).is<City>(true);
    outputOf(
      new Client({ ...options, outputSchema: zod3.object({ name: zod3.string(), people: zod3.number() }) }),
    ).is<City>(true);
    outputOf(
      new Client({ ...options, outputSchema: zodMini.object({ name: zodMini.string(), people: zodMini.int() }) }),
    ).is<City>(true);
    outputOf(new Client({ ...options, outputSchema: type({ name: 'string', people: 'number' }) })).is<City>(true);
    const valibot = toStandardJsonSchema(v.object({ name: v.string(), people: v.number() }));
    outputOf(new Client({ ...options, outputSchema: valibot })).is<City>(true);
  });

  it('has defaults and transforms applied', () => {
    const tags = zod4.array(zod4.string()).default([]);
    const schema = zod4.object({ tags, id: zod4.string().transform(Number), note: zod4.string().optional() });
    interface Note {
      tags: string[];
      id: number;
      note?: string | undefined;
    }
    outputOf(new Client({ ...options, outputSchema: schema })).is<Note>(true);
    const kind = zod4.discriminatedUnion('kind', [
      zod4.object({ kind: zod4.literal('a'), n: zod4.number() }),
      zod4.object({ kind: zod4.literal('b'), s: zod4.string() }),
    ]);
    outputOf(new Client({ ...options, outputSchema: kind })).is<{ kind: 'a'; n: number } | { kind: 'b'; s: string }>(
      true,
    );
    outputOf(new Client({ ...options, outputSchema: zod4.array(zod4.string()) })).is<string[]>(true);
  });

  it('is unknown without a schema, with a JSON Schema, and where the schema is known only at run time', () => {
    const json: JsonObject = { type: 'object' };
    outputOf(new Client(options)).is<unknown>(true);
    outputOf(new Client({ ...options, outputSchema: json })).is<unknown>(true);
    outputOf(new Client({ ...options, outputSchema: { type: 'object', properties: {} } })).is<unknown>(true);
  });

  it('is that of the results of runs, and a typed client is a client', () => {
    const types = async (session: Session): Promise<void> => {
      const client = new Client({ ...options, outputSchema: zod4.object({ n: zod4.number() }) });
      for (const run of [
        client.run('n?'),
        client.continueRun(),
        session.run(client, 'n?'),
        session.continueRun(client),
      ]) {
        const next = await run.next();
        if (next.done) next.value.structuredOutput?.n.toFixed();
        // @ts-expect-error: there is no such field.
        if (next.done) String(next.value.structuredOutput?.m);
      }
      const any: Client = client;
      await any.close();
    };
    assert.equal(typeof types, 'function');
  });
});
