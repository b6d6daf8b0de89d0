import type { Prompt } from '../../agent/session/prompt';
import type { WhenSubmitted } from '../../agent/view/sessionView';
import type { PanelControllerParts } from './panelParts';
import { messageOf } from '../../util/errors';

/** A text for the composer in place of the typed one, and the reason. */
export interface ReturnedPrompt {
  /** Absent: the typed text. */
  readonly text?: string | undefined;
  readonly message?: string | undefined;
}

interface TypedPrompt {
  readonly text: string;
  readonly sessionId?: string | undefined;
  readonly when?: WhenSubmitted | undefined;
}

interface TypingPanel {
  submitTyped(prompt: Prompt, sessionId: string | undefined, when?: WhenSubmitted): Promise<void>;
  returnPrompt(typed: string, returned: ReturnedPrompt): Promise<void>;
}

/**
 * Sends a typed prompt with the files and MCP resources that it names. A prompt of an MCP server returns to the
 * composer instead, so the person reads it before it is sent.
 */
export async function submitTyped(
  { text, sessionId, when }: TypedPrompt,
  panel: TypingPanel,
  { mcp, mentions, log }: Pick<PanelControllerParts, 'mcp' | 'mentions' | 'log'>,
): Promise<void> {
  try {
    const prepared = await mcp.prepareText(text);
    switch (prepared.kind) {
      case 'send': {
        const context = [...(await mentions.read(text)), ...prepared.context];
        return await panel.submitTyped({ text, ...(context.length > 0 && { context }) }, sessionId, when);
      }
      case 'show': {
        const message = `The MCP server made this text from ${prepared.from}. Read it, change it or send it.`;
        return await panel.returnPrompt(text, { text: prepared.text, message });
      }
      case 'given_up':
        return await panel.returnPrompt(text, {});
      default:
        return prepared satisfies never;
    }
  } catch (error) {
    const why = messageOf(error);
    log.warn(why);
    return panel.returnPrompt(text, { message: `The prompt could not be sent: ${why}` });
  }
}

interface EditedPrompt {
  readonly sessionId: string;
  readonly promptId: string;
  readonly text: string;
}

/**
 * Goes back to before a sent prompt and sends its edited text, with the context that it had and the files that the text
 * names now. Never rejects: a text that could not be sent goes to the composer.
 */
export async function resendEdited(
  { sessionId, promptId, text }: EditedPrompt,
  panel: Pick<TypingPanel, 'returnPrompt'>,
  {
    mcp,
    mentions,
    registry,
    restore,
    log,
  }: Pick<PanelControllerParts, 'mcp' | 'mentions' | 'registry' | 'restore' | 'log'>,
): Promise<void> {
  try {
    const prepared = await mcp.prepareText(text);
    if (prepared.kind === 'given_up') return;
    if (prepared.kind === 'show') {
      const message = `The MCP server made this text from ${prepared.from}. Read it, change it or send it.`;
      return await panel.returnPrompt(text, { text: prepared.text, message });
    }
    const context = [...(await mentions.read(text)), ...prepared.context];
    const session = await registry.open(sessionId);
    if (await restore.goBack(session, promptId)) await session.resend(promptId, { text, context });
  } catch (error) {
    const why = messageOf(error);
    log.warn(why);
    await panel.returnPrompt(text, { message: `The prompt could not be sent: ${why}` });
  }
}
