import * as l10n from '../../util/l10n';

/**
 * The word for a call that was not done. A person rejects an edit and denies any other call. A call is refused if nobody
 * was asked: by a rule, by plan mode, or in an untrusted workspace.
 */
export function denialLabel(toolName: string, wasAsked: boolean): string {
  if (!wasAsked) return l10n.t('Refused');
  return toolName === 'apply_edit' || toolName === 'write_file' ? l10n.t('Rejected') : l10n.t('Denied');
}
