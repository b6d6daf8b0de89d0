/**
 * What is wrong with a path as it is written, wherever it leads and before anything is looked up; `undefined` when
 * nothing is.
 */
export function findPathProblem(input: string): string | undefined {
  if (input.trim() === '')
    return 'The path is empty. Give a path relative to the workspace folder, or "." for the folder itself.';
  if (input.length > MAX_PATH_LENGTH) return `The path is ${input.length} characters long; that cannot be right.`;
  if (CONTROL_CHARACTERS.test(input)) return `The path ${JSON.stringify(input)} contains control characters.`;
  if (URI.test(input)) return `"${input}" is a URI, not a path. Give a path relative to the workspace folder.`;
  if (HOME.test(input))
    return `"${input}" starts with ~, which is not expanded. Give a path relative to the workspace folder.`;
  return undefined;
}

/**
 * What is wrong with a path on the disk of this platform, besides that.
 * A Windows share must be refused here: even asking whether it exists sends the user's credentials to its server.
 */
export function findPlatformProblem(input: string, platform: NodeJS.Platform): string | undefined {
  return platform === 'win32' ? findWindowsProblem(input) : undefined;
}

/** Whether an absolute POSIX path names the kernel's or a device's files, which are never files to work on. */
export function isSystemPath(absolute: string): boolean {
  // The three after `sys` are macOS's: files by number, and paths that are resolved in other ways than they read. The
  // last is ours, for what is on no disk.
  return /^\/(proc|dev|sys|\.vol|\.nofollow|\.resolve|virtual:)(\/|$)/i.test(absolute);
}

/**
 * Whether Windows may take the name for the short one of another file (`PROGRA~1`). An existing file is known by its
 * real path; one that is to be made must not have such a name.
 */
export function looksLikeShortName(segment: string): boolean {
  return /^[^.]{1,6}~\d{1,6}(\.[^.]{0,3})?$/.test(segment);
}

const MAX_PATH_LENGTH = 4096;
// eslint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;
/** `scheme://…`, and schemes that need no slashes. One letter and a colon is a Windows drive. */
const URI = /^([a-z][a-z0-9+.-]+:\/\/|(file|data|http|https|untitled|javascript|vscode[a-z-]*):)/i;
const HOME = /^~([a-z_][a-z0-9_-]*)?([\\/]|$)/i;

/** Source: "Naming Files, Paths, and Namespaces" of the Windows documentation. */
const RESERVED_NAME = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])(\..*)?$/i;

function findWindowsProblem(input: string): string | undefined {
  if (/^[\\/]{2}/.test(input)) return `"${input}" is a network or device path, which is not allowed.`;
  if (/^[\\/]/.test(input)) return `"${input}" has no drive. Give a path relative to the workspace folder.`;
  if (/^[a-z]:(?![\\/])/i.test(input))
    return `"${input}" depends on the drive's current folder. Give a path relative to the workspace folder.`;
  const withoutDrive = input.replace(/^[a-z]:/i, '');
  if (withoutDrive.includes(':')) return `"${input}" names an alternate stream of a file, which is not allowed.`;
  for (const segment of withoutDrive.split(/[\\/]/)) {
    if (segment === '.' || segment === '..') continue;
    if (/[<>"|?*]/.test(segment)) return `"${input}" contains a character that Windows does not allow in names.`;
    if (/[. ]$/.test(segment))
      return `"${input}" has a name that ends with a dot or a space, which Windows would drop.`;
    if (RESERVED_NAME.test(segment.trimStart())) return `"${segment}" is a device name on Windows, not a file.`;
  }
  return undefined;
}
