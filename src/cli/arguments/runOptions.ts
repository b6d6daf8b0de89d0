import type { FlagValues } from './flags';

export const outputForms = ['text', 'json'] as const;
export const toolChoices = ['auto', 'required'] as const;

/** Options of one prompt or a conversation. Absent: not given. */
export interface RunOptions {
  /** Absent: read standard input, or start a conversation when that is a terminal. */
  readonly prompt?: string | undefined;
  /** The paths of images that go with the prompt. */
  readonly images?: readonly string[] | undefined;
  /** Never asks, even at a terminal. */
  readonly isHeadless?: true | undefined;
  /** The project's instructions do not go to the model. */
  readonly isWithoutInstructions?: true | undefined;
  /** `json`: standard output gets one event a line. Absent: it gets the answer. */
  readonly output?: 'json' | undefined;
  /** The session to continue. Absent: a new one. */
  readonly resume?: { readonly newest: true } | { readonly id: string } | undefined;
  readonly toolChoice?: 'required' | undefined;
  /** The path of a JSON Schema file. */
  readonly outputSchema?: string | undefined;
}

/** Reads the flags of a run, or names the problem. */
export function readRunOptions(values: FlagValues): RunOptions | { readonly problem: string } {
  const { prompt, output, autoresume, resume, 'tool-choice': toolChoice, 'output-schema': outputSchema } = values;
  if (prompt?.trim() === '') return { problem: 'The prompt is empty.' };
  if (output !== undefined && !isOneOf(outputForms, output))
    return { problem: noSuch('--output', output, outputForms) };
  if (toolChoice !== undefined && !isOneOf(toolChoices, toolChoice)) {
    return { problem: noSuch('--tool-choice', toolChoice, toolChoices) };
  }
  if (autoresume && resume !== undefined) {
    return { problem: 'Give either --autoresume (the newest session) or --resume (a session by its id).' };
  }
  if (resume === '') return { problem: '--resume needs the id of a session. --autoresume continues the newest.' };
  if (outputSchema === '') return { problem: '--output-schema needs the path of a file with a JSON Schema.' };
  return {
    ...(prompt !== undefined && { prompt }),
    ...(values.image && { images: values.image }),
    ...(values['no-tui'] && { isHeadless: true }),
    ...(values['no-instructions'] && { isWithoutInstructions: true }),
    ...(output === 'json' && { output }),
    ...(autoresume && { resume: { newest: true } }),
    ...(resume !== undefined && { resume: { id: resume } }),
    ...(toolChoice === 'required' && { toolChoice }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
}

function isOneOf<T extends string>(known: readonly T[], value: string): value is T {
  return (known as readonly string[]).includes(value);
}

function noSuch(flag: string, value: string, known: readonly string[]): string {
  return `${flag}: "${value}" is none of ${known.join(', ')}.`;
}
