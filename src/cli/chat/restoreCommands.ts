import type { AgentSession } from '../../agent/session/agentSession';
import type { Restored } from '../../agent/session/branches';
import { titleOf } from '../../agent/session/prompt';
import { describeRestore, planRestoreOf, type RestoreAccess, type RestoreChoice } from '../../agent/restore/restore';
import { visibleText } from '../../util/visibleText';
import { restoreFiles } from '../../workspace/checkpoints/restoreFiles';
import type { CheckpointParts } from '../../workspace/checkpoints/withCheckpoints';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import { removeEmptyFolders } from '../../workspace/node/checkpoints/removeEmptyFolders';
import type { ChatCommand, Conversation } from './conversation';
import { terminalText } from '../terminal/terminalText';

export interface RestoreParts extends Omit<RestoreAccess, 'contents'> {
  readonly checkpoints: Omit<CheckpointParts, 'record'>;
}

const LISTED = 20;

/** The commands that take files and conversation back, and that back again. */
export function restoreCommands(parts: RestoreParts): readonly ChatCommand[] {
  return [
    {
      name: 'restore',
      argument: '[N]',
      about: 'go back to before a prompt: files, conversation, or both',
      run: (conversation, number) => restore(conversation, number, parts),
    },
    {
      name: 'undo',
      about: 'take the last /restore back',
      run: (conversation) => undo(conversation, parts),
    },
  ];
}

interface EarlierPrompt {
  readonly id: string;
  readonly text: string;
}

async function restore(conversation: Conversation, number: string, parts: RestoreParts): Promise<void> {
  const prompt = await choosePrompt(conversation, number);
  if (!prompt) return;
  const { session, print } = conversation;
  const choices = await planRestoreOf(session.checkpointsSince(prompt.id), accessOf(parts));
  print(choices.length === 0 ? 'No file was changed since.\n' : `Files as they were then:\n${listOf(choices)}`);
  const what = await chooseWhat(conversation, choices, parts);
  if (what === undefined) return print('Nothing was changed.\n');
  if (what !== 'conversation') {
    const label = `before “${titleOf(prompt.text)}”`;
    await bringBack(conversation, await chooseFiles(conversation, choices), label, parts);
  }
  if (what === 'files' || session.goTo({ before: prompt.id }) === undefined) return;
  print(`The prompt was:\n${terminalText(prompt.text)}\n`);
}

async function undo(conversation: Conversation, parts: RestoreParts): Promise<void> {
  const { session, print, ask } = conversation;
  const undone = lastRestore(session);
  if (!undone) return print('Nothing was taken back in this session.\n');
  const leaves = undone.hasGoneOn && undone.cameFrom !== undefined;
  if (leaves && !isYes(await ask('What was said since is left then, and kept on file. Go on? [y/N] '))) return;
  const choices = await planRestoreOf(undone.checkpoints, accessOf(parts));
  if (choices.length > 0) print(`Files as they were before that:\n${listOf(choices)}`);
  // Files first, as when going back: what was done together is undone together the next time.
  await bringBack(conversation, await chooseFiles(conversation, choices), 'before they were taken back', parts);
  if (undone.cameFrom !== undefined) session.goTo({ after: undone.cameFrom });
}

interface LastRestore extends Restored {
  /** There were prompts after it. */
  readonly hasGoneOn: boolean;
}

function lastRestore(session: AgentSession): LastRestore | undefined {
  let hasGoneOn = false;
  for (const { id, type } of session.entries.toReversed()) {
    hasGoneOn ||= type === 'user_message';
    const undone = session.restoreOf(id);
    if (undone) return { ...undone, hasGoneOn };
  }
  return undefined;
}

async function choosePrompt({ session, print, ask }: Conversation, number: string): Promise<EarlierPrompt | undefined> {
  const prompts = session.view.items
    .flatMap((item): readonly EarlierPrompt[] => (item.kind === 'prompt' && !item.isSteering ? [item] : []))
    .toReversed();
  if (prompts.length === 0) {
    print('There is no prompt to go back to in this session.\n');
    return undefined;
  }
  if (number === '') {
    for (const [index, { text }] of prompts.slice(0, LISTED).entries()) {
      print(`${String(index + 1).padStart(4)}  ${terminalText(titleOf(text))}\n`);
    }
    if (prompts.length > LISTED) print(`      and ${prompts.length - LISTED} earlier ones\n`);
  }
  const typed = number || (await ask('Go back to before which prompt? (Enter: stay): '))?.trim();
  if (!typed) return undefined;
  const chosen = /^\d{1,6}$/.test(typed) ? prompts[Number(typed) - 1] : undefined;
  if (!chosen) print(`There is no prompt with the number ${terminalText(typed)}.\n`);
  return chosen;
}

async function chooseWhat(
  { print, ask }: Conversation,
  choices: readonly RestoreChoice[],
  parts: RestoreParts,
): Promise<'both' | 'files' | 'conversation' | undefined> {
  if (choices.length === 0) {
    return isYes(await ask('Take the conversation back? [y/N] ')) ? 'conversation' : undefined;
  }
  for (;;) {
    const answer = await ask('Take back [b]oth, [f]iles, [c]onversation; show [d]ifferences; Enter: nothing: ');
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
        for (const choice of choices) print(await differenceOf(choice, parts));
        continue;
      default:
        return undefined;
    }
  }
}

/** All but those that somebody else changed, unless told. */
async function chooseFiles(
  { ask }: Conversation,
  choices: readonly RestoreChoice[],
): Promise<readonly RestoreChoice[]> {
  const chosen: RestoreChoice[] = [];
  for (const choice of choices) {
    const question = `${nameOf(choice)} was changed since, and not by the agent. Overwrite that? [y/N] `;
    if (!choice.isChangedSince || isYes(await ask(question))) chosen.push(choice);
  }
  return chosen;
}

async function bringBack(
  { session, print }: Conversation,
  chosen: readonly RestoreChoice[],
  label: string,
  { checkpoints, roots }: RestoreParts,
): Promise<void> {
  if (chosen.length === 0) return;
  const { failed } = await restoreFiles(chosen, label, {
    blobs: checkpoints.blobs,
    contents: checkpoints.contents,
    record: (checkpoint) => session.recordCheckpoint(checkpoint),
    removeEmptyFolders: (file) => removeEmptyFolders(file, roots),
  });
  for (const { path, message } of failed) {
    const name = chosen.find((choice) => choice.path === path);
    print(`Not taken back: ${name ? nameOf(name) : terminalText(path)}: ${terminalText(message)}\n`);
  }
}

async function differenceOf(choice: RestoreChoice, { checkpoints }: RestoreParts): Promise<string> {
  const now = (await checkpoints.contents.read(choice.path))?.bytes;
  const then = choice.target === null ? undefined : await checkpoints.blobs.get(choice.target.hash);
  const [before, after] = [now, then].map((bytes) => new TextDecoder().decode(bytes ?? new Uint8Array()));
  const { text } = unifiedDiff(before ?? '', after ?? '');
  return `${nameOf(choice)}: now, and after going back\n${visibleText(text, 'code')}\n`;
}

function listOf(choices: readonly RestoreChoice[]): string {
  return choices
    .map((choice) => {
      const since = choice.isChangedSince ? '; changed since, and not by the agent' : '';
      return `  ${nameOf(choice)}: ${terminalText(describeRestore(choice))}${since}\n`;
    })
    .join('');
}

function nameOf({ displayPath }: RestoreChoice): string {
  return visibleText(displayPath, 'path');
}

function accessOf({ checkpoints, fileSystem, roots }: RestoreParts): RestoreAccess {
  return { contents: checkpoints.contents, fileSystem, roots };
}

function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
