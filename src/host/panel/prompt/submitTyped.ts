import type { ImagePart } from '../../../sdk/messages';
import type { NamedInPrompt } from '../../../agent/context/mentions';
import type { PromptContext } from '../../../agent/prompts/promptContext';
import type { Prompt } from '../../../agent/session/prompt';
import type { WhenSubmitted } from '../../../agent/view/sessionView';
import type { PanelControllerParts } from '../panelParts';
import { messageOf } from '../../../util/errors';
import * as l10n from '../../../util/l10n';

/** A text for the composer in place of the typed one, and the reason. */
export interface ReturnedPrompt {
  /** Absent: the typed text. */
  readonly text?: string | undefined;
  readonly message?: string | undefined;
}

interface TypedPrompt {
  readonly text: string;
  readonly sessionId?: string | undefined;
  /** The hashes of attached images. */
  readonly images?: readonly string[] | undefined;
  readonly when?: WhenSubmitted | undefined;
}

interface TypingPanel {
  attachedImages(hashes: readonly string[]): Promise<readonly ImagePart[]>;
  /** Scales images of files down. Never rejects. */
  scaleImages(images: readonly ImagePart[]): Promise<readonly ImagePart[]>;
  submitTyped(prompt: Prompt, sessionId: string | undefined, when?: WhenSubmitted): Promise<void>;
  returnPrompt(typed: string, returned: ReturnedPrompt): Promise<void>;
}

/**
 * Sends a typed prompt with the files and MCP resources that it names, and the meaning of the command that it calls. A prompt of an MCP server returns to the
 * composer instead, so the person reads it before it is sent.
 */
export async function submitTyped(
  { text, sessionId, images: hashes = [], when }: TypedPrompt,
  panel: TypingPanel,
  { mcp, mentions, slashCommands, log }: Pick<PanelControllerParts, 'mcp' | 'mentions' | 'slashCommands' | 'log'>,
): Promise<void> {
  try {
    const expanded = await slashCommands.expand(text);
    if (expanded.kind === 'given_up') return await panel.returnPrompt(text, {});
    if (expanded.kind === 'do') {
      const message = await slashCommands.run(expanded, sessionId);
      return await panel.returnPrompt(text, message === undefined ? { text: '' } : { message });
    }
    const ofCommand = expanded.kind === 'send' ? expanded.context : [];
    const prepared = await mcp.prepareText(text);
    switch (prepared.kind) {
      case 'send': {
        const named = await mentions.read(text);
        const context = [...named.map(withoutImage), ...prepared.context, ...ofCommand];
        const attached = hashes.length === 0 ? [] : await panel.attachedImages(hashes);
        const ofFiles = imagesOf(named);
        const images = ofFiles.length === 0 ? attached : [...attached, ...(await panel.scaleImages(ofFiles))];
        const more = { ...(context.length > 0 && { context }), ...(images.length > 0 && { images }) };
        return await panel.submitTyped({ text, ...more }, sessionId, when);
      }
      case 'show': {
        const message = l10n.t('The MCP server made this text from {0}. Read it, change it or send it.', prepared.from);
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
    return panel.returnPrompt(text, { message: l10n.t('The message could not be sent: {0}', why) });
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
  panel: Pick<TypingPanel, 'returnPrompt' | 'scaleImages'>,
  {
    mcp,
    mentions,
    slashCommands,
    registry,
    restore,
    log,
  }: Pick<PanelControllerParts, 'mcp' | 'mentions' | 'slashCommands' | 'registry' | 'restore' | 'log'>,
): Promise<void> {
  try {
    const expanded = await slashCommands.expand(text);
    if (expanded.kind === 'given_up') return;
    if (expanded.kind === 'do') {
      const message = l10n.t(
        '/{0} sends no message, so it cannot replace one. Type it as a new message.',
        expanded.command,
      );
      return await panel.returnPrompt(text, { message });
    }
    const ofCommand = expanded.kind === 'send' ? expanded.context : [];
    const prepared = await mcp.prepareText(text);
    if (prepared.kind === 'given_up') return;
    if (prepared.kind === 'show') {
      const message = l10n.t('The MCP server made this text from {0}. Read it, change it or send it.', prepared.from);
      return await panel.returnPrompt(text, { text: prepared.text, message });
    }
    const named = await mentions.read(text);
    const context = [...named.map(withoutImage), ...prepared.context, ...ofCommand];
    const images = await panel.scaleImages(imagesOf(named));
    const session = await registry.open(sessionId);
    if (await restore.goBack(session, promptId)) await session.resend(promptId, { text, context, images });
  } catch (error) {
    const why = messageOf(error);
    log.warn(why);
    await panel.returnPrompt(text, { message: l10n.t('The message could not be sent: {0}', why) });
  }
}

function imagesOf(named: readonly NamedInPrompt[]): readonly ImagePart[] {
  return named.flatMap(({ image }) => image ?? []);
}

function withoutImage({ label, content }: NamedInPrompt): PromptContext {
  return { label, content };
}
