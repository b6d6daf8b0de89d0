import { isReadingFirst, type Planned, type Preparation } from '../../../sdk/tool';
import type { Signal } from '../../../sdk/platform';
import type { ChangedCode, CodeRename } from '../../codeNavigation';
import { guardPath } from '../../paths/guardPath';
import { isReadingProtected } from '../../paths/protectedPaths';
import type { EditPlan, EditsPlan, GuardedPath, ReadPlan } from '../../plans';
import { readForEdit } from '../edits/readForEdit';
import { lookAgain, type WorkspaceAccess } from '../workspaceAccess';
import { findOne, MAX_LOADED, wordElsewhere } from './answers';
import { filesWithWord, type NameSources } from './resolveName';
import { renamedText } from './renamedText';
import { ShownFiles } from './shownFiles';
import type { SymbolName } from './symbolQuery';

/** The wish to give a symbol a new name. */
export interface RenameQuestion {
  readonly symbol: SymbolName;
  readonly newName: string;
  /** The file to look in, or the workspace folder. */
  readonly target: GuardedPath;
  readonly isInFile: boolean;
}

/** More is no edit that a person can read. */
const MAX_FILES = 100;
const NAME = /^[\p{L}_$#@][\p{L}\p{N}_$-]{0,199}[?!]?$/u;
const BY_HAND = 'Nothing was changed. Use search_text and apply_edit instead.';

/**
 * Plans a rename by the language server, as one edit of all its files. The server is asked only after reading was decided,
 * so not in plan mode. No file is left out: if one cannot be edited as `apply_edit` would, nothing is.
 */
export function prepareRename(
  question: RenameQuestion,
  access: WorkspaceAccess,
  signal: Signal,
): Preparation<ReadPlan | EditsPlan> {
  const { newName, symbol, target } = question;
  if (!NAME.test(newName)) return refuse(`"${newName}" is no name. Use find: "rename to NEW".`);
  if (newName === symbol.name) return refuse(`The symbol is named "${newName}" already.`);
  if (isReadingProtected(target)) return refuse(`${target.displayPath} is ${PROTECTED}. ${BY_HAND}`);
  return {
    ok: true,
    reading: { kind: 'read', target, isFor: 'edit', query: {} } satisfies ReadPlan,
    async planAfterReading() {
      const now = await lookAgain(target, access);
      if (!now.ok) return now;
      try {
        return await planRename(question, access, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return refuse(`The language server did not answer. ${BY_HAND}`);
      }
    },
  };
}

const REFUSALS = {
  refused: 'it refuses',
  unknown: 'it knows no such symbol there',
  moves_files: 'it would also rename, create or delete files',
  no_file: 'it would change something that is no file',
  changed: 'a file was changed in the meantime',
} as const satisfies Record<(CodeRename & { readonly ok: false })['why'], string>;

const PROTECTED = 'protected or outside the workspace';

async function planRename(
  { symbol, newName, target, isInFile }: RenameQuestion,
  access: WorkspaceAccess,
  signal: Signal,
): Promise<Planned<EditsPlan>> {
  const navigation = access.ports.codeNavigation;
  if (!navigation) return refuse(`No language server is there. ${BY_HAND}`);
  const file = isInFile ? target : undefined;
  const sources: NameSources = { navigation, access, files: new ShownFiles(access, file), signal };
  const found = await findOne(symbol, file, sources, { isStrict: true });
  if (!found.ok) return refuse(found.text);
  const withWord = await filesWithWord(symbol.name, sources);
  await navigation.load(withWord.slice(0, MAX_LOADED), { signal });
  const renamed = await navigation.rename(found.position, newName, { signal });
  if (!renamed.ok) return refuse(`The language server does not rename this: ${REFUSALS[renamed.why]}. ${BY_HAND}`);
  const changed = renamed.files.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return refuse(`The language server finds nothing to rename. ${BY_HAND}`);
  if (changed.length > MAX_FILES)
    return refuse(`The rename changes ${changed.length} files, which is too many. ${BY_HAND}`);
  const planned = await planFiles(changed, symbol.name, access);
  if (!planned.ok) return refuse(`${planned.error} ${BY_HAND}`);
  const isChanged = new Set(planned.plan.map((edit) => edit.target.displayPath));
  const note = await wordElsewhere(withWord, isChanged, sources);
  return {
    ok: true,
    plan: {
      kind: 'edits',
      title: `Rename ${symbol.name} to ${newName}`,
      edits: planned.plan,
      ...(note !== '' && { note }),
    },
  };
}

async function planFiles(
  changed: readonly ChangedCode[],
  name: string,
  access: WorkspaceAccess,
): Promise<Planned<readonly EditPlan[]>> {
  const targets: GuardedPath[] = [];
  let isAnyHidden = false;
  for (const { path } of changed) {
    const guarded = await guardPath(path, {
      roots: access.roots(),
      fileSystem: access.ports.fileSystem,
      outside: 'mark',
    });
    if (!guarded.ok || isReadingProtected(guarded.path)) isAnyHidden = true;
    else targets.push(guarded.path);
  }
  // Neither their names nor their number are told.
  if (isAnyHidden) return refuse(`The rename also reaches files that are ${PROTECTED}.`);
  if (new Set(targets.map(({ realPath }) => realPath)).size < targets.length) {
    return refuse('The language server changes a file under two names.');
  }
  const edits: EditPlan[] = [];
  for (const [index, target] of targets.entries()) {
    const code = changed[index]!;
    const prepared = await readForEdit(target, access, async ({ open }) => {
      const opened = await open();
      if (!opened.ok) return opened;
      if (opened.isNotebook) return refuse(`${target.displayPath} is a notebook.`);
      const { text: before } = opened;
      const after = renamedText(before, code, name);
      if (!after.ok) return refuse(`${target.displayPath} ${after.error}.`);
      const texts = { before, after: after.text, proposed: after.text };
      return { ok: true, plan: { kind: 'edit', operation: 'edit', target, ...texts } };
    });
    if (!prepared.ok) return prepared;
    // It was looked at above, so reading it needs no question.
    if (isReadingFirst(prepared)) return refuse(`${target.displayPath} is ${PROTECTED}.`);
    if (prepared.plan.after !== prepared.plan.before) edits.push(prepared.plan);
  }
  return edits.length > 0 ? { ok: true, plan: edits } : refuse('The rename changes nothing.');
}

function refuse(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
