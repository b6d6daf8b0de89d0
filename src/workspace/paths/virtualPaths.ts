import path from 'node:path';

/** The place of a virtual folder: the decoded parts of its URI, as in VS Code. */
export interface VirtualPlace {
  readonly scheme: string;
  readonly authority: string;
  /** Begins with `/`. */
  readonly path: string;
  readonly query: string;
}

/**
 * Virtual files have ordinary paths, so all code that joins, compares and shows paths also works for them:
 * `/virtual:/<scheme>+<authority>/<path>`. The disk is never asked about such a path. It cannot exist on Windows, and
 * elsewhere only the superuser could create it.
 */
export function isVirtualPath(file: string): boolean {
  return /^(?:[a-z]:)?[\\/]virtual:(?:[\\/]|$)/i.test(file);
}

/** The path of a virtual place; `undefined` if it would be ambiguous: dots, empty names or invisible characters. */
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

/** The place of a virtual path. Throws for other paths. */
export function virtualPlaceOf(file: string): VirtualPlace {
  const [, origin, below] = /^\/virtual:\/([^/]+)(\/.*)?$/s.exec(canonical(file)) ?? [];
  const [scheme, authority, query, ...rest] = (origin ?? '').split('+').map(decodeURIComponent);
  if (!scheme || scheme === 'file' || authority === undefined || rest.length > 0) {
    throw new Error(`${file} is not the path of a virtual file.`);
  }
  return { scheme, authority, path: below ?? '/', query: query ?? '' };
}

/** A virtual path with `/`, also if the path functions of Windows changed it. */
export function canonical(file: string): string {
  const slashes = file.replaceAll('\\', '/');
  return path.posix.normalize(slashes.slice(slashes.search(/\/virtual:/i))).replace(/(?<=.)\/$/, '');
}

/** A folder for people and models: its path on disk, or its URI. */
export function describePlace(folder: string): string {
  if (!isVirtualPath(folder)) return folder;
  const { scheme, authority, path: below } = virtualPlaceOf(folder);
  return authority === '' ? `${scheme}:${below}` : `${scheme}://${authority}${below}`;
}

/** What is wrong with a `/`-separated path below a virtual folder; `undefined` if nothing is. */
export function findVirtualNameProblem(names: string): string | undefined {
  const segments = names.split('/');
  if (names.includes('\\')) return 'has a backslash in a name';
  // A program that decodes twice would find another file.
  if (/%[0-9a-f]{2}/i.test(names)) return 'has an encoded character in a name';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(names)) return 'has a control character in a name';
  if (segments.some((segment) => /^\.{3,}$/.test(segment))) return 'has a name of dots only';
  return undefined;
}

/** Why a new file must not get a name: other programs could read it as another name. */
export function findNewNameProblem(name: string): string | undefined {
  if (/[?#%:*|<>"]/.test(name)) return 'has a character that not every file system keeps';
  if (/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(name)) return 'has an invisible character';
  if (/[. ]$/.test(name) || name.startsWith(' ')) return 'has a dot or a blank at its end';
  if (name !== name.normalize('NFC') || /[\uff0e\uff0f\u2024\u2044\u2215\u29f5]/.test(name)) {
    return 'has a character that looks like another';
  }
  return undefined;
}

const TOP = '/virtual:';
