import { prepareText, type ArgumentQuestion } from '../../agent/mcp/prepareText';
import type { Prompt } from '../../agent/session/prompt';
import type { McpServers } from '../../mcp/mcpServers';
import { visibleText } from '../../util/text/visibleText';
import { isYes } from '../terminal/isYes';
import type { Terminal } from '../terminal/terminal';

export interface McpPromptParts {
  readonly servers: McpServers;
  /** Absent: nobody can be asked. */
  readonly terminal: Terminal | undefined;
  readonly log: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Turns a text into a prompt; `undefined`: send nothing. Rejects with a message for people. */
export type PreparePrompt = (text: string) => Promise<Prompt | undefined>;

export const sendAsItIs: PreparePrompt = async (text) => ({ text });

/**
 * Resolves prompts and resources of MCP servers in a text. Shows the resulting prompt; asks before sending it when
 * there is a terminal.
 */
export function withMcpPrompts({ servers, terminal, log, signal }: McpPromptParts): PreparePrompt {
  const askArgument = async ({ name, description, isRequired }: ArgumentQuestion): Promise<string | undefined> => {
    const what = visibleText(name, 'path').slice(0, 100);
    if (terminal) {
      const said = description === '' ? '' : ` (${visibleText(description, 'path').slice(0, 300)})`;
      return (await terminal.ask(`${what}${said}${isRequired ? '' : ', optional'}: `, { signal }))?.trim();
    }
    if (isRequired) throw new Error(`It needs ${what}: write ${what}=… after the prompt's name.`);
    return '';
  };
  return async (text) => {
    const prepared = await prepareText(text, { mcp: servers, askArgument, signal });
    switch (prepared.kind) {
      case 'send':
        return { text, ...(prepared.context.length > 0 && { context: prepared.context }) };
      case 'show': {
        log(`The MCP server made this of ${prepared.from}:\n${prepared.text}\n`);
        if (!terminal) return { text: prepared.text };
        const answer = await terminal.ask('Send it? [y]es, [n]o: ', { signal });
        return isYes(answer) ? { text: prepared.text } : undefined;
      }
      case 'given_up':
        return undefined;
      default:
        return prepared satisfies never;
    }
  };
}
