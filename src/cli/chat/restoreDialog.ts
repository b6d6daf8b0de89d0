import { describeRestore, restoreTexts, type RestoreChoice } from '../../agent/restore/planRestore';
import type { RestoreDialog, RestoreFlowParts, RestoreWhat } from '../../agent/restore/restoreFlow';
import { visibleText } from '../../util/text/visibleText';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import { isYes } from '../terminal/isYes';
import { safeTerminalText } from '../terminal/safeTerminalText';
import type { ChatContext } from './chatContext';

/** Asks at the terminal. */
export function createRestoreDialog(
  { print, ask }: ChatContext,
  checkpoints: RestoreFlowParts['checkpoints'],
): RestoreDialog {
  return {
    async chooseWhat(_label, choices) {
      print(
        choices.length === 0 ? 'No file was changed since then.\n' : `Files as they were then:\n${listOf(choices)}`,
      );
      const what = choices.length === 0 ? await askAboutConversation() : await askWhat(choices);
      if (what === undefined) print('Nothing was changed.\n');
      return what;
    },
    async chooseFiles(_label, choices) {
      const chosen: RestoreChoice[] = [];
      for (const choice of choices) {
        const question = `${nameOf(choice)} was changed since, and not by the agent. Overwrite those changes? [y/N] `;
        if (!choice.isChangedSince || isYes(await ask(question))) chosen.push(choice);
      }
      return chosen;
    },
    announceUndo: (choices) => {
      if (choices.length > 0) print(`Files as they were before that:\n${listOf(choices)}`);
    },
    showProgress: (work) => work(),
    warn: (message) => print(`${safeTerminalText(message)}\n`),
  };

  async function askAboutConversation(): Promise<RestoreWhat | undefined> {
    return isYes(await ask('Restore the conversation? [y/N] ')) ? 'conversation' : undefined;
  }

  async function askWhat(choices: readonly RestoreChoice[]): Promise<RestoreWhat | undefined> {
    for (;;) {
      const answer = await ask('Restore [b]oth, [f]iles, [c]onversation; show [d]ifferences; Enter: nothing: ');
      switch (answer?.trim().toLowerCase()) {
        case 'b':
        case 'both':
          return 'both';
        case 'f':
        case 'files':
          return 'files';
        case 'c':
        case 'conversation':
          return 'conversation';
        case 'd':
        case 'differences':
          for (const choice of choices) {
            const { now, afterwards } = await restoreTexts(choice, checkpoints);
            const difference = visibleText(unifiedDiff(now, afterwards).text, 'code');
            print(`${nameOf(choice)}: now, and after going back\n${difference}\n`);
          }
          continue;
        default:
          return undefined;
      }
    }
  }
}

function listOf(choices: readonly RestoreChoice[]): string {
  return choices
    .map((choice) => {
      const since = choice.isChangedSince ? '; changed since, and not by the agent' : '';
      return `  ${nameOf(choice)}: ${safeTerminalText(describeRestore(choice))}${since}\n`;
    })
    .join('');
}

function nameOf({ place }: RestoreChoice): string {
  return visibleText(place.displayPath, 'path');
}
