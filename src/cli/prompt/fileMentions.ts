import { readMentions } from '../../agent/context/mentions';
import { visibleText } from '../../util/visibleText';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import type { Terminal } from '../terminal/terminal';
import type { PreparePrompt } from './mcpPrompts';

export interface FileMentionsParts {
  readonly access: WorkspaceAccess;
  /** Whether there is an MCP server of this name, whose resources are named `@name:…`. */
  readonly isServer: (name: string) => boolean;
  /** Absent: nobody is there to be asked, and nothing that may hold secrets goes along. */
  readonly terminal: Terminal | undefined;
  readonly signal: AbortSignal;
}

/** Has the files go along that a text names with `@`, besides what `prepare` makes of it. */
export function withFileMentions(
  prepare: PreparePrompt,
  { access, isServer, terminal, signal }: FileMentionsParts,
): PreparePrompt {
  const confirmSecret = async (displayPath: string): Promise<boolean> => {
    const question = `${visibleText(displayPath, 'path')} may hold secrets. Send it to the model? [y]es, [n]o: `;
    const answer = await terminal?.ask(question, { signal });
    return ['y', 'yes'].includes(answer?.trim().toLowerCase() ?? '');
  };
  return async (text) => {
    const prepared = await prepare(text);
    // What a server made of its prompt is the server's: it names no files of the person's.
    if (prepared?.text !== text) return prepared;
    const named = await readMentions(text, { access, isTaken: isServer, confirmSecret, signal });
    const context = [...named, ...(prepared.context ?? [])];
    return { ...prepared, ...(context.length > 0 && { context }) };
  };
}
