import { createRestoreFlow, type RestoreFlowParts } from '../../agent/restore/restoreFlow';
import type { AgentSession } from '../../agent/session/agentSession';
import { titleOf } from '../../agent/session/prompt';
import { isYes } from '../terminal/isYes';
import { safeTerminalText } from '../terminal/safeTerminalText';
import type { ChatCommand } from './chatCommand';
import type { ChatContext } from './chatContext';
import { createRestoreDialog } from './restoreDialog';

export type RestoreParts = Omit<RestoreFlowParts, 'dialog'>;

/** The most prompts that `/restore` lists. */
const LISTED = 20;

/** `/restore` and `/undo`. */
export function restoreCommands(parts: RestoreParts): readonly ChatCommand[] {
  const flowOf = (context: ChatContext) =>
    createRestoreFlow({ ...parts, dialog: createRestoreDialog(context, parts.checkpoints) });
  return [
    {
      name: 'restore',
      argument: '[N]',
      about: 'go back to before a prompt: files, conversation, or both',
      run: async (context, number) => {
        const { session, print } = context;
        const promptId = await choosePrompt(context, number);
        if (promptId === undefined) return;
        const text = await flowOf(context).restoreTo(session, promptId);
        if (text !== undefined) print(`The prompt was:\n${safeTerminalText(text)}\n`);
      },
    },
    {
      name: 'undo',
      about: 'undo the last /restore',
      run: async (context) => {
        const { session, print, ask } = context;
        const last = lastRestore(session);
        if (!last) return print('Nothing was restored in this session.\n');
        const question = 'This leaves the messages since then; they stay on file. Go on? [y/N] ';
        if (last.leavesPrompts && !isYes(await ask(question))) return;
        await flowOf(context).undo(session, last.id);
      },
    },
  ];
}

/** The newest restore. `leavesPrompts`: undoing it leaves the prompts after it. */
function lastRestore(session: AgentSession): { readonly id: string; readonly leavesPrompts: boolean } | undefined {
  let hasGoneOn = false;
  for (const { id, type } of session.entries.toReversed()) {
    hasGoneOn ||= type === 'user_message';
    const restored = session.restoreOf(id);
    if (restored) return { id, leavesPrompts: hasGoneOn && restored.cameFrom !== undefined };
  }
  return undefined;
}

/**
 * Finds a prompt by its number, counted from the newest. Lists the prompts and asks when `number` is empty. Returns the
 * id.
 */
async function choosePrompt({ session, print, ask }: ChatContext, number: string): Promise<string | undefined> {
  const prompts = session.view.items
    .flatMap((item) => (item.kind === 'prompt' && !item.isSteering ? [item] : []))
    .toReversed();
  if (prompts.length === 0) {
    print('There is no prompt to go back to in this session.\n');
    return undefined;
  }
  if (number === '') {
    for (const [index, { text }] of prompts.slice(0, LISTED).entries()) {
      print(`${String(index + 1).padStart(4)}  ${safeTerminalText(titleOf(text))}\n`);
    }
    if (prompts.length > LISTED) print(`      and ${prompts.length - LISTED} earlier ones\n`);
  }
  const typed = number || (await ask('Go back to before which prompt? (Enter: stay): '))?.trim();
  if (!typed) return undefined;
  const chosen = /^\d{1,6}$/.test(typed) ? prompts[Number(typed) - 1] : undefined;
  if (!chosen) print(`There is no prompt with the number ${safeTerminalText(typed)}.\n`);
  return chosen?.id;
}
