import assert from 'node:assert/strict';
import type * as z from 'zod';
import type { AgentOptions } from '../../../src/sdk/configuration/agentOptions';
import type { agentOptionsSchema } from '../../../src/sdk/configuration/options';
import type { llmProfileSchema } from '../../../src/sdk/configuration/profileSchema';
import type { LlmProfile } from '../../../src/sdk/configuration/profiles';
import type { CompactionOptions } from '../../../src/sdk/context/compactionOptions';
import type { compactionSchema } from '../../../src/sdk/context/compactionSchema';
import type { Hooks } from '../../../src/sdk/hooks';
import type { EntryBody } from '../../../src/sdk/session/entries';
import type { entryBodies } from '../../../src/sdk/session/parseEntry';

/** The fields that only one of two objects has, or that differ in their type or in whether they may be left out. */
type Differences<One, Other> =
  | Exclude<keyof One, keyof Other>
  | Exclude<keyof Other, keyof One>
  | {
      [Key in keyof One & keyof Other]: IsSame<Pick<One, Key>, Pick<Other, Key>> extends true ? never : Key;
    }[keyof One & keyof Other];

type IsSame<One, Other> = [One, Other] extends [Other, One] ? true : false;

/** The types of entries that differ between two unions, and their fields. */
type EntryDifferences<One extends { type: string }, Other extends { type: string }> =
  | Exclude<One['type'], Other['type']>
  | Exclude<Other['type'], One['type']>
  | { [Type in One['type']]: Differences<Extract<One, { type: Type }>, Extract<Other, { type: Type }>> }[One['type']];

/** The compiler names what differs. At run time there is nothing to see. */
function same<Difference extends never>(): readonly Difference[] {
  return [];
}

describe('the types that are written out, so that the declarations of the SDK need no zod', () => {
  it('are those of the schema of the options', () => {
    assert.deepEqual(same<Differences<AgentOptions, z.input<ReturnType<typeof agentOptionsSchema>>>>(), []);
    assert.deepEqual(
      same<Differences<Hooks, NonNullable<z.input<ReturnType<typeof agentOptionsSchema>>['hooks']>>>(),
      [],
    );
  });

  it('are those of the schema of the compaction', () => {
    assert.deepEqual(same<Differences<CompactionOptions, z.input<ReturnType<typeof compactionSchema>>>>(), []);
  });

  it('are those of the schema of a profile', () => {
    assert.deepEqual(same<Differences<LlmProfile, z.infer<ReturnType<typeof llmProfileSchema>>>>(), []);
  });

  it('are those of the schemas of session entries', () => {
    assert.deepEqual(same<EntryDifferences<EntryBody, z.infer<ReturnType<typeof entryBodies>[number]>>>(), []);
  });

  it('are compared field by field', () => {
    // @ts-expect-error: only one has `b`.
    same<Differences<{ a: 1; b?: 2 }, { a: 1 }>>();
    // @ts-expect-error: `b` may be left out in one only.
    same<Differences<{ a: 1; b?: 2 | undefined }, { a: 1; b: 2 | undefined }>>();
    // @ts-expect-error: one takes more values.
    same<Differences<{ a: 1 | 2 }, { a: 1 }>>();
    assert.deepEqual(same<Differences<{ readonly a: 1 }, { a: 1 }>>(), []);
  });
});
