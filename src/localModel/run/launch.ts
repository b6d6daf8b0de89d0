import * as z from 'zod';
import { isSecretVariable } from '../../workspace/node/commands/secretVariables';
import { samplingSchema } from '../catalogue/sampling';

/** How a model is served. */
export const launchSchema = z.strictObject({
  /** llama-server, absolute. */
  program: z.string().min(1).max(4_096),
  /** Absolute. */
  modelFile: z.string().min(1).max(4_096),
  modelBytes: z.number().min(0),
  /** The name that the server gives its model. */
  name: z.string().min(1).max(200),
  /** In tokens. */
  context: z.number().int().min(1_024).max(10_000_000),
  sampling: samplingSchema.optional(),
  /** The checksum of a file that was fetched, so that a newer file under the same name is another launch. */
  sha256: z.string().max(64).optional(),
});

export type Launch = Readonly<z.infer<typeof launchSchema>>;

/** The arguments of llama-server. The key is not among them: every user of the machine can read arguments. */
export function serverArguments({ modelFile, name, context, sampling = {} }: Launch, port: number): readonly string[] {
  const { temperature, topP, topK, minP } = sampling;
  const option = (flag: string, value: number | undefined): readonly string[] =>
    value === undefined ? [] : [flag, String(value)];
  return [
    ...['--model', modelFile, '--alias', name],
    ...['--host', '127.0.0.1', '--port', String(port)],
    // One slot has the whole context. Slots also tell whether the server is in use.
    ...['--ctx-size', String(context), '--parallel', '1', '--slots', '--jinja'],
    ...option('--temp', temperature),
    ...option('--top-p', topP),
    ...option('--top-k', topK),
    ...option('--min-p', minP),
  ];
}

/** The environment of llama-server, with the key that its clients need. */
export function serverEnvironment(env: NodeJS.ProcessEnv, key: string): NodeJS.ProcessEnv {
  return { ...foreignEnvironment(env), LLAMA_API_KEY: key };
}

/**
 * The environment of programs that run and fetch models: without secrets of others, and without settings of llama.cpp that would
 * widen its access.
 */
export function foreignEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value = '']) => !/^LLAMA_/i.test(name) && !isSecretVariable(name, value) && name !== 'ELECTRON_RUN_AS_NODE',
  );
  return Object.fromEntries(kept);
}
