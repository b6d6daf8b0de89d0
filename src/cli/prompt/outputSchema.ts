import { readFile } from 'node:fs/promises';
import { compileOutputSchema, type CompiledOutput } from '../../sdk/schema/structuredOutput';
import { isJsonObject, type JsonObject } from '../../util/json';
import { messageOf } from '../../util/errors';

export type OutputSchemaFile =
  | { readonly ok: true; readonly schema: JsonObject; readonly check: CompiledOutput['check'] }
  | { readonly ok: false; readonly problem: string };

/** Reads the JSON Schema of `--output-schema`. */
export async function readOutputSchema(file: string): Promise<OutputSchemaFile> {
  try {
    const schema: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isJsonObject(schema)) throw new Error('it must be an object');
    const compiled = compileOutputSchema(schema);
    return { ok: true, schema, check: (answer) => compiled.check(answer) };
  } catch (error) {
    const why = messageOf(error);
    return {
      ok: false,
      problem: `--output-schema: ${file} is not a usable JSON Schema: ${why.replace(/\.$/, '')}.`,
    };
  }
}
