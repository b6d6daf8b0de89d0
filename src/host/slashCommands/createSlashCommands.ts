import * as vscode from 'vscode';
import { expandCommand, type ExpandedCommand } from '../../agent/customization/expandCommand';
import { listPromptFiles } from '../../agent/customization/promptFiles';
import { findMentions } from '../../agent/view/prompt/mentionText';
import type { PromptContext } from '../../agent/prompts/promptContext';
import { slashCommands, type Task } from '../../agent/prompts/slashCommands';
import type { AskModelParts } from '../../agent/servers/askModel';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SlashCommand } from '../../protocol/toWebview';
import type { FileSystem } from '../../workspace/ports';
import { ownFolder } from '../workspace/ownFolder';
import { createSecretCheck } from '../workspace/secretFiles';
import { workspaceRoots } from '../workspace/workspaceRoots';
import { askInput } from './askInput';
import type { ChangesSubjectParts } from './changesSubject';
import { editorSubject, editorValues } from './editorSubject';

/** The commands and prompt files that a prompt can call with `/name`. */
export interface SlashCommands {
  /** Never rejects. */
  readonly list: () => Promise<readonly SlashCommand[]>;
  /** See `expandCommand`. */
  readonly expand: (text: string) => Promise<ExpandedCommand>;
  /** Does what a text asked for that is no prompt. Returns why nothing was done, for people. */
  readonly run: (
    asked: Extract<ExpandedCommand, { kind: 'do' }>,
    sessionId: string | undefined,
  ) => Promise<string | undefined>;
}

export interface SlashCommandsParts {
  readonly fileSystem: FileSystem;
  readonly registry: Pick<SessionRegistry, 'open'>;
  /** Whether an MCP server has this name. */
  readonly isServer: (name: string) => boolean;
  /** The model that looks at long changes before a review. */
  readonly model: () => AskModelParts;
}

/** Composes the commands with the window's editor, source control and sessions. */
export function createSlashCommands({ fileSystem, registry, isServer, model }: SlashCommandsParts): SlashCommands {
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const mayHoldSecrets = createSecretCheck(fileSystem);
  const promptFiles = () => listPromptFiles({ fileSystem, roots: workspaceRoots, isTrusted, ownFolder });

  const subjectOf = async (task: Task, words: string): Promise<PromptContext | undefined> => {
    if ((task === 'fix' || task === 'tests') && !isTrusted()) {
      throw new Error(vscode.l10n.t('Edits are proposed in trusted workspaces only. /explain works here.'));
    }
    if (findMentions(words, isServer).length > 0) return undefined;
    // Words alone may be about something else than the open file.
    const inEditor = await editorSubject(words === '' && task !== 'review', mayHoldSecrets);
    const found =
      inEditor ?? (task === 'review' ? await uncommittedChanges(words, { mayHoldSecrets, model }) : undefined);
    if (found || words !== '') return found;
    throw new Error(vscode.l10n.t('Open a file, select code in it, or name a file with @ after /{0}.', task));
  };

  return {
    async list() {
      const own = slashCommands.map(({ name, about }) => ({ name, detail: about() }));
      const isOwn = (name: string): boolean => own.some((command) => command.name === name);
      const files = (await promptFiles()).filter(({ name }) => !isOwn(name));
      return [
        ...own,
        ...files.map(({ name, description, displayPath }) => ({
          name,
          detail: description === '' ? displayPath : description,
        })),
      ];
    },
    expand: (text) =>
      expandCommand(text, { promptFiles, subjectOf, editorValues: () => editorValues(mayHoldSecrets), askInput }),
    async run({ command, words }, sessionId) {
      if (command === 'commit') {
        void writeCommitMessage();
        return undefined;
      }
      const session = sessionId === undefined ? undefined : await registry.open(sessionId);
      if (!session || session.view.items.length === 0) return vscode.l10n.t('There is no conversation to compact yet.');
      if (session.view.state !== 'idle')
        return vscode.l10n.t('The agent is at work. Stop it or wait until it is done, then compact.');
      await session.compact(words === '' ? undefined : words);
      return undefined;
    },
  };
}

/** Writes the message and then shows it. The command says itself why it failed. */
async function writeCommitMessage(): Promise<void> {
  const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Writing a commit message') };
  await vscode.window.withProgress(progress, async () => {
    await vscode.commands.executeCommand('openAgent.generateCommitMessage');
    await vscode.commands.executeCommand('workbench.view.scm');
  });
}

async function uncommittedChanges(words: string, parts: ChangesSubjectParts): Promise<PromptContext | undefined> {
  const { changesSubject } = await import('./changesSubject');
  try {
    const changes = await changesSubject(parts);
    if (changes || words !== '') return changes;
  } catch (error) {
    // The words may name what to review.
    if (words === '') throw error;
    return undefined;
  }
  throw new Error(vscode.l10n.t('There are no uncommitted changes. Select code or name a file with @ after /review.'));
}
