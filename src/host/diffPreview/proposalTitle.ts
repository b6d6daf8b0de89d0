import path from 'node:path';
import * as l10n from '../../util/l10n';
import { visibleText } from '../../util/text/visibleText';
import type { EditPlan } from '../../workspace/plans';

/** The title of a proposal's tab. A model chose the file's name, so hidden characters are shown by name. */
export function proposalTitle({ operation, target }: Pick<EditPlan, 'operation' | 'target'>): string {
  const name = visibleText(path.posix.basename(target.displayPath), 'path');
  switch (operation) {
    case 'create':
      return l10n.t('{0} (proposed new file)', name);
    case 'overwrite':
      return l10n.t('{0} (proposed rewrite)', name);
    case 'edit':
      return l10n.t('{0} (proposed edit)', name);
  }
}
