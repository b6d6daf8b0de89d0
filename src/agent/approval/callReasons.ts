import * as l10n from '../../util/l10n';
import { assertNever } from '../../util/assertNever';
import { visibleText } from '../../util/text/visibleText';
import { isReadingProtected, protectionOf } from '../../workspace/paths/protectedPaths';
import type { EditPlan, GuardedPath } from '../../workspace/plans';
import type { PermissionMode } from '../view/permissionModes';
import { isOrdinaryEdit, type SinglePlan } from './approvablePlan';
import { findEditHazards } from './editHazards';

// Why a call asks, for people. The reason for a command comes from workspace/shell/commandReasons.ts.

/**
 * Why a plan always asks and only an answer to this very question counts: a path outside the workspace, or a file that
 * can run programs or hold secrets. `undefined`: it does not.
 */
export function whySensitive(plan: SinglePlan): string | undefined {
  switch (plan.kind) {
    case 'read':
      if (!isReadingProtected(plan.target)) return undefined;
      return plan.isFor === 'edit' ? whyReadingForEdit(plan.target) : whyReading(plan.target);
    case 'edit':
      return whyEditing(plan.target);
    case 'command':
      return isReadingProtected(plan.cwd) ? whyRunningIn(plan.cwd) : undefined;
    case 'mcp':
    case 'extension':
      return undefined;
    default:
      return assertNever(plan);
  }
}

function whyReading(target: GuardedPath): string {
  const name = describeTarget(target);
  switch (protectedBecause(target)) {
    case 'unknown_names':
      return l10n.t('{0} has other names on the disk that could not all be found, so reading it always asks', name);
    case 'outside':
      return l10n.t('{0} is outside the workspace, so reading it always asks', name);
    case 'secrets':
      return l10n.t('{0} may hold secrets, so reading it always asks', name);
  }
}

function whyReadingForEdit(target: GuardedPath): string {
  const name = describeTarget(target);
  switch (protectedBecause(target)) {
    case 'unknown_names':
      return l10n.t(
        '{0} has other names on the disk that could not all be found, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        name,
      );
    case 'outside':
      return l10n.t(
        '{0} is outside the workspace, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        name,
      );
    case 'secrets':
      return l10n.t(
        '{0} may hold secrets, so looking at it to plan an edit asks first. You decide about the edit itself afterwards',
        name,
      );
  }
}

function whyEditing(target: GuardedPath): string | undefined {
  const name = describeTarget(target);
  if (target.pathInRoot === null) return l10n.t('{0} is outside the workspace, so changing it always asks', name);
  if (protectionOf(target) !== 1) return undefined;
  return target.alsoNamed === 'unknown'
    ? l10n.t('{0} has other names on the disk that could not all be found, so changing it always asks', name)
    : l10n.t('{0} can run programs or hold secrets, so changing it always asks', name);
}

function whyRunningIn(folder: GuardedPath): string {
  const name = describeTarget(folder);
  switch (protectedBecause(folder)) {
    case 'unknown_names':
      return l10n.t(
        '{0} has other names on the disk that could not all be found, so running a command there always asks',
        name,
      );
    case 'outside':
      return l10n.t('{0} is outside the workspace, so running a command there always asks', name);
    case 'secrets':
      return l10n.t('{0} may hold secrets, so running a command there always asks', name);
  }
}

function protectedBecause(target: GuardedPath): 'unknown_names' | 'outside' | 'secrets' {
  if (target.alsoNamed === 'unknown') return 'unknown_names';
  return target.pathInRoot === null ? 'outside' : 'secrets';
}

/** Why an edit of a manifest, a build or a test configuration asks. */
export function whyBuildFile({ target }: EditPlan): string {
  return l10n.t('{0} decides what is built, tested or run, so changing it asks in every mode', describeTarget(target));
}

/** Why the text of an edit asks; `undefined`: it does not. */
export function whyContent(plan: EditPlan): string | undefined {
  const [hazard] = findEditHazards(plan);
  if (!hazard) return undefined;
  return hazard.kind === 'hidden_characters'
    ? l10n.t('An edit that adds hidden characters always asks')
    : l10n.t('An edit that adds a link to a remote schema always asks');
}

/** Why an allowed command asks again after edits that nobody has seen. `files` are display paths. */
export function whyUnseen(allowedBecause: string, files: readonly string[]): string {
  const named = files.slice(0, 3).join(', ');
  const reason =
    files.length > 3
      ? l10n.t(
          '{0}, but it runs code of the workspace, and you have not seen what the agent changed in {1} and {2} more.',
          allowedBecause,
          named,
          files.length - 3,
        )
      : l10n.t(
          '{0}, but it runs code of the workspace, and you have not seen what the agent changed in {1}.',
          allowedBecause,
          named,
        );
  return `${reason} ${l10n.t('Review the changes, and it no longer asks')}`;
}

/** Why a call asks that no rule and no protection decided about. `commandReason`: the assessment of the command. */
export function whyByDefault(
  plan: SinglePlan,
  mode: PermissionMode,
  command: { readonly action: string; readonly reason: string } | undefined,
): string {
  switch (plan.kind) {
    case 'read':
      return l10n.t('Reading this needs your approval');
    case 'edit':
      if (mode === 'ask' || isOrdinaryEdit(plan)) return l10n.t('Ask mode: edits need your approval');
      if (plan.match === 'near')
        return l10n.t('The edit goes to a similar place, not an exact match, so it always asks');
      return l10n.t('Replacing a whole file always asks');
    case 'command':
      if (plan.isBackground && command?.action === 'allow') return l10n.t('Background commands always ask');
      return command?.reason ?? l10n.t('Commands always ask');
    case 'mcp':
    case 'extension':
      return l10n.t('No rule allows this tool');
    default:
      return assertNever(plan);
  }
}

/** The path as it was asked for and, when a link leads elsewhere, the file it leads to. */
function describeTarget(target: GuardedPath): string {
  const { displayPath, pathInRoot, alsoNamed = [] } = target;
  const name = visibleText(displayPath, 'path');
  const [other] = alsoNamed === 'unknown' ? [] : alsoNamed;
  if (other !== undefined) return l10n.t('{0}, which is the same file as {1},', name, visibleText(other, 'path'));
  return isShownByItsName(target) ? name : l10n.t('{0}, which is {1},', name, visibleText(pathInRoot ?? '', 'path'));
}

/** Whether no link below the workspace folder leads elsewhere than the display path says. */
export function isShownByItsName({ displayPath, pathInRoot }: GuardedPath): boolean {
  // The person opened the folder itself, wherever it is.
  return pathInRoot === null || pathInRoot === '' || `/${displayPath}`.endsWith(`/${pathInRoot}`);
}
