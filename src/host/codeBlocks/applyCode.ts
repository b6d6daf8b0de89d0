import { inStyleOf } from '../../workspace/edits/lineEnds';
import { placeCode } from '../../workspace/edits/placeCode';
import { findPlaces } from '../../workspace/paths/findPlaces';
import { guardPath } from '../../workspace/paths/guardPath';
import { protectionOf } from '../../workspace/paths/protectedPaths';
import type { EditPlan, GuardedPath } from '../../workspace/plans';
import { readForEdit } from '../../workspace/tools/edits/readForEdit';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { askForEdit, writeAccepted } from '../approvals/personsEdits';
import type { VscodeApprover } from '../approvals/vscodeApprover';
import { uriOf } from '../workspace/uris';
import { chooseFile, choosePlace } from './chooseFile';
import * as l10n from '../../util/l10n';

export interface ApplyParts {
  readonly access: WorkspaceAccess;
  readonly approver: Pick<VscodeApprover, 'ask' | 'showProposal' | 'deny'>;
  /** The display paths of the workspace's files. */
  readonly listNames: () => Promise<readonly string[]>;
  readonly isTrusted: () => boolean;
}

export interface CodeToApply {
  readonly sessionId: string;
  readonly code: string;
  /** The file that the answer names for it. */
  readonly path?: string | undefined;
}

/**
 * Puts code into a file: plans the edit, shows it as every proposed edit, and writes what the person accepts. Resolves
 * with a reason for people when it could not. An answer may name any path, so protected files are refused.
 */
export async function applyCode(applied: CodeToApply, parts: ApplyParts): Promise<string | undefined> {
  if (!parts.isTrusted()) return l10n.t('Code can be applied to files when you trust this workspace.');
  const name = applied.path === undefined ? await chooseFile(parts.listNames) : await findNamed(applied.path, parts);
  if (name === undefined) return undefined;
  const { access } = parts;
  const guarded = await guardPath(name, { roots: access.roots(), fileSystem: access.ports.fileSystem });
  if (!guarded.ok) return guarded.error;
  if (protectionOf(guarded.path) === 1) {
    return l10n.t('{0} is a protected file. Copy the code and change the file yourself.', guarded.path.displayPath);
  }
  const planned = await planEdit(guarded.path, applied.code, access);
  if (typeof planned === 'string' || planned === undefined) return planned;
  const { sessionId } = applied;
  const edit = { plan: planned, sessionId, reason: l10n.t('You chose to apply this code.') };
  const decision = await askForEdit(edit, parts.approver);
  return decision.action === 'allow' ? writeAccepted(planned, decision, access) : undefined;
}

/** A path as the answer wrote it may be the end of another one. */
async function findNamed(path: string, { access, listNames }: ApplyParts): Promise<string> {
  const [found] = await findPlaces([path], { roots: access.roots(), fileSystem: access.ports.fileSystem, listNames });
  return found?.path ?? path;
}

/** The edit, a reason why there is none, or `undefined` when the person cancelled. */
async function planEdit(
  target: GuardedPath,
  code: string,
  access: WorkspaceAccess,
): Promise<EditPlan | string | undefined> {
  if (!target.exists) return planOf(target, null, `${code}\n`);
  let text = '';
  const read = await readForEdit(target, access, async ({ open }) => {
    const opened = await open();
    if (!opened.ok) return opened;
    ({ text } = opened);
    return { ok: true, plan: planOf(target, text, text) };
  });
  if (!read.ok) return read.error;
  const known = placeCode(text, code);
  const place = known === undefined ? await choosePlace(uriOf(target.path), target.displayPath, code) : () => known;
  if (place === undefined) return undefined;
  const after = inStyleOf(text, place(text));
  return after === text ? l10n.t('{0} already has this code.', target.displayPath) : planOf(target, text, after);
}

function planOf(target: GuardedPath, before: string | null, after: string): EditPlan {
  return { kind: 'edit', operation: before === null ? 'create' : 'edit', target, before, after, proposed: after };
}
