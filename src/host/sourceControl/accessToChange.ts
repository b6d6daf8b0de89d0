import { guardPath, type GuardOptions } from '../../workspace/paths/guardPath';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';

/**
 * Whether the text of a change may be read: by all names of its file, as the old name of a renamed one counts too. To be
 * decided before git is asked for the text. `undefined` among the names: an address that is ambiguous.
 */
export async function accessToChange(
  names: readonly (string | undefined)[],
  options: Pick<GuardOptions, 'roots' | 'fileSystem'>,
): Promise<'open' | 'protected' | 'outside'> {
  let isProtected = false;
  for (const name of names) {
    const guarded = name === undefined ? undefined : await guardPath(name, options);
    if (!guarded?.ok || guarded.path.pathInRoot === null) return 'outside';
    isProtected ||= isReadingProtected(guarded.path);
  }
  return isProtected ? 'protected' : 'open';
}
