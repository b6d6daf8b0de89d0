import { withoutEnding } from '../../util/text/withoutEnding';
import type { GuardedPath } from '../plans';
import {
  FILES_OF_TIER_1,
  FILES_OF_TIER_2,
  FILES_WITH_SECRETS,
  type NameList,
  PATHS_OF_SECRETS,
  SECRETS,
  SELF_STARTING,
  TIER_1,
  TIER_2,
} from './protectedNames';

/**
 * How strongly a file is protected.
 * 1: it makes other programs run code, or holds secrets: files of git and the editor, shell profiles, credentials,
 * configuration of package managers and agents.
 * 2: it decides what a build, a test or an agent does: manifests, build and test configuration, CI, project rules.
 */
export type ProtectionTier = 1 | 2;

/**
 * The tier of a path, relative or absolute, with `/` or `\`; `undefined` for an ordinary file. Compares each segment, in any
 * case. Only by name: resolve links first.
 */
export function protectionTier(path: string): ProtectionTier | undefined {
  const segments = foldedSegments(path);
  const name = segments.at(-1) ?? '';
  if (isSecret(segments) || segments.some((segment) => isListed(segment, TIER_1)) || isListed(name, FILES_OF_TIER_1))
    return 1;
  if (segments.some((segment) => isListed(segment, TIER_2)) || isListed(name, FILES_OF_TIER_2)) return 2;
  return undefined;
}

/** Whether a file may hold secrets, so that reading it asks. */
export function holdsSecrets(path: string): boolean {
  return isSecret(foldedSegments(path));
}

/**
 * Whether other programs obey a file or folder of this name without being told to run something: `.git`, `.vscode`,
 * `.bashrc`.
 */
export function isSelfStarting(name: string): boolean {
  return foldedSegments(name).some((segment) => isListed(segment, SELF_STARTING));
}

function isSecret(segments: readonly string[]): boolean {
  const path = segments.join('/');
  return (
    segments.some((segment) => isListed(segment, SECRETS)) ||
    isListed(segments.at(-1) ?? '', FILES_WITH_SECRETS) ||
    PATHS_OF_SECRETS.some((pattern) => pattern.test(path))
  );
}

/** The names of a path: as asked for, with all links resolved, and of the same file elsewhere. */
type Names = Pick<GuardedPath, 'displayPath' | 'pathInRoot' | 'alsoNamed'>;

/** The tier of a guarded path, by its own name and by the name of its link target. Tier 1 outside the workspace. */
export function protectionOf({ displayPath, pathInRoot, alsoNamed = [] }: Names): ProtectionTier | undefined {
  if (pathInRoot === null || alsoNamed === 'unknown') return 1;
  const tiers = [displayPath, pathInRoot, ...alsoNamed].map(protectionTier);
  if (tiers.includes(1)) return 1;
  return tiers.includes(2) ? 2 : undefined;
}

/** Whether reading a path asks: it may hold secrets by one of its names, or is outside the workspace. */
export function isReadingProtected({ displayPath, pathInRoot, alsoNamed = [] }: Names): boolean {
  if (pathInRoot === null || alsoNamed === 'unknown') return true;
  return [displayPath, pathInRoot, ...alsoNamed].some(holdsSecrets);
}

/**
 * Whether even the name of a file, and whether it exists, is told only after a question: outside the workspace, and in
 * folders whose listing asks.
 */
export function isNameProtected({ displayPath, pathInRoot }: Names): boolean {
  if (pathInRoot === null) return true;
  return [displayPath, pathInRoot].some((name) => holdsSecrets(name.replace(/[\\/]?[^\\/]*$/, '')));
}

function isListed(segment: string, { names, patterns }: NameList): boolean {
  return names.has(segment) || patterns.some((pattern) => pattern.test(segment));
}

/** The segments as tolerant file systems compare names: without case, compatibility forms and invisible characters. */
function foldedSegments(path: string): readonly string[] {
  return withoutVariants(path)
    .split(/[\\/]+/)
    .map((segment) => (/^\.+$/.test(segment) ? segment : withoutEnding(segment, '. ')))
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function withoutVariants(path: string): string {
  // Most paths. Making the expression below takes longer than all else.
  if (/^[\x20-\x7E]*$/.test(path)) return path.toLowerCase();
  return path
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}
