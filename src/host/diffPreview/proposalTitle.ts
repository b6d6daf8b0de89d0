import path from 'node:path';
import { visibleText } from '../../util/text/visibleText';
import type { EditPlan } from '../../workspace/plans';

/** The title of a proposal's tab. A model chose the file's name, so hidden characters are shown by name. */
export function proposalTitle({ operation, target }: Pick<EditPlan, 'operation' | 'target'>): string {
  const name = visibleText(path.posix.basename(target.displayPath), 'path');
  switch (operation) {
    case 'create':
      return `${name} (proposed new file)`;
    case 'overwrite':
      return `${name} (proposed rewrite)`;
    case 'edit':
      return `${name} (proposed edit)`;
  }
}
