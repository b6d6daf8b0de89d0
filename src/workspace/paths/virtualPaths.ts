import path from 'node:path';

/** Where a folder is that a program provides instead of the disk: a URI in its parts, decoded, as VS Code has them. */
export interface VirtualPlace {
  readonly scheme: string;
  readonly authority: string;
  /** Begins with `/`. */
  readonly path: string;
  readonly query: string;
}

/**
 * Files of virtual file systems have paths like any other, so that everything that joins, compares and shows paths works
 * on them: `/virtual:/<scheme>+<authority>/<path>`. No such file is on a disk: Windows allows no colon in a name, and
 * elsewhere nobody but the machine's owner could make the folder. The disk is never asked about one.
 */
export function isVirtualPath(file: string): boolean {
  return /^(?:[a-z]:)?[\\/]virtual:(?:[\\/]|$)/i.test(file);
}

/**
 * The path of a virtual place; `undefined` for one that has no unambiguous path: dots or empty names in it, characters
 * that do not show.
 */
export function virtualPathOf({ scheme, authority, path: below, query }: VirtualPlace): string | undefined {
  const inside = below === '' ? '/' : below;
  if (scheme === '' || scheme === 'file' || !inside.startsWith('/')) return undefined;
  const plain = inside === '/' ? '' : inside.replace(/\/$/, '');
  if (path.posix.normalize(plain || '/') !== (plain || '/') || findVirtualNameProblem(plain) !== undefined) {
    return undefined;
  }
  const origin = [scheme, authority, ...(query === '' ? [] : [query])].map(encodeURIComponent).join('+');
  return `${TOP}/${origin}${plain}`;
}

/** The place that a virtual path means. Throws for any other path. */
export function virtualPlaceOf(file: string): VirtualPlace {
  const [, origin, below] = /^\/virtual:\/([^/]+)(\/.*)?$/s.exec(canonical(file)) ?? [];
  const [scheme, authority, query, ...rest] = (origin ?? '').split('+').map(decodeURIComponent);
  if (!scheme || scheme === 'file' || authority === undefined || rest.length > 0) {
    throw new Error(`${file} is not the path of a virtual file.`);
  }
  return { scheme, authority, path: below ?? '/', query: query ?? '' };
}

/** A virtual path with `/`, as it was made, whatever this platform's path functions did to it. */
export function canonical(file: string): string {
  const slashes = file.replaceAll('\\', '/');
  return path.posix.normalize(slashes.slice(slashes.search(/\/virtual:/i))).replace(/(?<=.)\/$/, '');
}

/** How people and models see the place of a folder: its path on disk, or its URI. */
export function describePlace(folder: string): string {
  if (!isVirtualPath(folder)) return folder;
  const { scheme, authority, path: below } = virtualPlaceOf(folder);
  return authority === '' ? `${scheme}:${below}` : `${scheme}://${authority}${below}`;
}

/** What is wrong with names below a virtual folder, which have `/` between them; `undefined` when nothing is. */
export function findVirtualNameProblem(names: string): string | undefined {
  const segments = names.split('/');
  if (names.includes('\\')) return 'has a backslash in a name';
  // What decodes addresses twice would find another file there.
  if (/%[0-9a-f]{2}/i.test(names)) return 'has an encoded character in a name';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(names)) return 'has a control character in a name';
  if (segments.some((segment) => /^\.{3,}$/.test(segment))) return 'has a name of dots only';
  return undefined;
}

/** What keeps a name from being given to a new file: other programs could take it for another name. */
export function findNewNameProblem(name: string): string | undefined {
  if (/[?#%:*|<>"]/.test(name)) return 'has a character that not every file system keeps';
  if (/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(name)) return 'has a character that does not show';
  if (/[. ]$/.test(name) || name.startsWith(' ')) return 'has a dot or a blank at its end';
  if (name !== name.normalize('NFC') || /[\uff0e\uff0f\u2024\u2044\u2215\u29f5]/.test(name)) {
    return 'has a character that looks like another';
  }
  return undefined;
}

const TOP = '/virtual:';
