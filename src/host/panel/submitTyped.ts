import type { Prompt } from '../../agent/session/prompt';
import type { PanelControllerParts } from './panelParts';
import { messageOf } from '../../util/errors';

/** What comes into the composer in the place of what was typed, and why. */
export interface GivenBack {
  /** Absent: what was typed. */
  readonly text?: string | undefined;
  readonly message?: string | undefined;
}

interface TypingPanel {
  submitTyped(prompt: Prompt, sessionId: string | undefined): Promise<void>;
  giveBack(typed: string, back: GivenBack): Promise<void>;
}

/**
 * Sends what a person typed, with the files and the resources of MCP servers that it names. What a server's prompt became comes back
 * instead, to be read before it is sent.
 */
export async function submitTyped(
  { text, sessionId }: { readonly text: string; readonly sessionId?: string | undefined },
  panel: TypingPanel,
  { mcp, mentions, log }: Pick<PanelControllerParts, 'mcp' | 'mentions' | 'log'>,
): Promise<void> {
  try {
    const prepared = await mcp.prepareText(text);
    switch (prepared.kind) {
      case 'send': {
        const context = [...(await mentions.read(text)), ...prepared.context];
        return await panel.submitTyped({ text, ...(context.length > 0 && { context }) }, sessionId);
      }
      case 'show': {
        const message = `The MCP server made this of ${prepared.from}. Read it, change it or send it.`;
        return await panel.giveBack(text, { text: prepared.text, message });
      }
      case 'given_up':
        return await panel.giveBack(text, {});
      default:
        return prepared satisfies never;
    }
  } catch (error) {
    const why = messageOf(error);
    log.warn(why);
    return panel.giveBack(text, { message: `The prompt could not be sent: ${why}` });
  }
}
