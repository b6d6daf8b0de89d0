import { readMentions } from '../../agent/context/mentions';
import { visibleText } from '../../util/text/visibleText';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { isYes } from '../terminal/isYes';
import type { Terminal } from '../terminal/terminal';
import type { PreparePrompt } from './mcpPrompts';

export interface FileMentionsParts {
  readonly access: WorkspaceAccess;
  /** Returns whether an MCP server has this name. Its resources are named `@name:…`. */
  readonly isServer: (name: string) => boolean;
  /** Absent: nobody can be asked, so files that may hold secrets are not sent. */
  readonly terminal: Terminal | undefined;
  readonly signal: AbortSignal;
}

/** Adds the files that a text names with `@` to the prompt that `prepare` returns. */
export function withFileMentions(
  prepare: PreparePrompt,
  { access, isServer, terminal, signal }: FileMentionsParts,
): PreparePrompt {
  const confirmSecret = async (displayPath: string): Promise<boolean> => {
    const question = `${visibleText(displayPath, 'path')} may hold secrets. Send it to the model with this prompt? [y]es, [n]o: `;
    return isYes(await terminal?.ask(question, { signal }));
  };
  return async (text) => {
    const prepared = await prepare(text);
    // A server wrote this prompt, so its `@` names no files of the person.
    if (prepared?.text !== text) return prepared;
    const named = await readMentions(text, { access, isTaken: isServer, whyNoImages, confirmSecret, signal });
    const context = [...named, ...(prepared.context ?? [])];
    return { ...prepared, ...(context.length > 0 && { context }) };
  };
}

/** A name alone does not say that the person means the image to be sent. */
function whyNoImages(): string {
  return 'Images are sent with --image.';
}
