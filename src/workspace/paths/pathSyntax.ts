/** What is wrong with a path as it is written, on any platform; `undefined` if nothing is. For the model. */
export function findPathProblem(input: string): string | undefined {
  if (input.trim() === '')
    return 'The path is empty. Give a path relative to the workspace folder, or "." for the folder itself.';
  if (input.length > MAX_PATH_LENGTH) return `The path is ${input.length} characters long, which is too long.`;
  if (CONTROL_CHARACTERS.test(input)) return `The path ${JSON.stringify(input)} contains control characters.`;
  if (URI.test(input)) return `"${input}" is a URI, not a path. Give a path relative to the workspace folder.`;
  if (HOME.test(input))
    return `"${input}" starts with ~, which is not expanded. Give a path relative to the workspace folder.`;
  return undefined;
}

/**
 * What is wrong with a path on the disk of this platform. Refuses Windows shares before any look-up: even a check for
 * existence sends the user's credentials to the server.
 */
export function findPlatformProblem(input: string, platform: NodeJS.Platform): string | undefined {
  return platform === 'win32' ? findWindowsProblem(input) : undefined;
}

/** Whether an absolute POSIX path belongs to the kernel or to devices. */
export function isSystemPath(absolute: string): boolean {
  // `.vol`, `.nofollow` and `.resolve` are special paths of macOS. `virtual:` is our own prefix for virtual files.
  return /^\/(proc|dev|sys|\.vol|\.nofollow|\.resolve|virtual:)(\/|$)/i.test(absolute);
}

/** Whether Windows may read a name as the short name of another file (`PROGRA~1`). New files must not have such a name. */
export function looksLikeShortName(segment: string): boolean {
  return /^[^.]{1,6}~\d{1,6}(\.[^.]{0,3})?$/.test(segment);
}

const MAX_PATH_LENGTH = 4096;
// eslint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;
/** `scheme://…`, and schemes without slashes. One letter with a colon is a Windows drive. */
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
