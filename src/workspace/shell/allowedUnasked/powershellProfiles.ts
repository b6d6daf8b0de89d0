import { gitProfile } from './gitProfile';
import { unknownArgument, type Profile, type ProfileTable } from './profile';

interface Cmdlet {
  readonly switches?: string | undefined;
  readonly values?: string | undefined;
  /** Parameters that name files or folders. */
  readonly paths?: string | undefined;
  /** The kinds of the positional arguments. The last kind holds for all further ones. */
  readonly positional?: readonly ('path' | 'value')[] | undefined;
  readonly needsPath?: boolean | undefined;
}

/** Accepts parameter names only in full, although PowerShell accepts any unambiguous beginning. */
function cmdlet({ switches = '', values = '', paths = '', positional = [], needsPath = true }: Cmdlet): Profile {
  const named = (list: string): ReadonlySet<string> => new Set(list.toLowerCase().split(' '));
  const switchNames = named(switches);
  const valueNames = named(values);
  const pathNames = named(paths);
  return (args) => {
    const reads: string[] = [];
    let position = 0;
    for (let index = 0; index < args.length; index += 1) {
      const arg = args[index] ?? '';
      const name = arg.slice(1).toLowerCase();
      if (!arg.startsWith('-')) {
        const kind = positional[Math.min(position, positional.length - 1)];
        position += 1;
        if (kind === undefined) return unknownArgument(arg);
        if (kind === 'path') reads.push(arg);
      } else if (name !== '' && switchNames.has(name)) {
        continue;
      } else if (name !== '' && (valueNames.has(name) || pathNames.has(name))) {
        index += 1;
        const value = args[index];
        if (value === undefined || value.startsWith('-')) return unknownArgument(arg);
        if (pathNames.has(name)) reads.push(value);
      } else {
        return unknownArgument(arg);
      }
    }
    // Cmdlets expand wildcards in quoted paths too, and `X:` can name the environment or the registry.
    const strange = reads.find((path) => /[*?[\]`]|::|^.{2,}:/.test(path));
    if (strange !== undefined) return unknownArgument(strange);
    return { reads: reads.length === 0 && needsPath ? ['.'] : reads };
  };
}

const getChildItem = cmdlet({
  switches: 'Recurse Name File Directory Force Hidden ReadOnly',
  values: 'Depth',
  paths: 'Path LiteralPath',
  positional: ['path'],
});
const getContent = cmdlet({
  switches: 'Raw',
  values: 'TotalCount First Head Tail Last Encoding',
  paths: 'Path LiteralPath',
  positional: ['path'],
  needsPath: false,
});
const selectObject = cmdlet({ switches: 'Unique', values: 'First Last Skip SkipLast', needsPath: false });
const measureObject = cmdlet({ switches: 'Line Word Character', needsPath: false });
const output = cmdlet({ positional: ['value'], needsPath: false });
const noArguments = cmdlet({ needsPath: false });

/** By lower-case name, with PowerShell's own aliases. */
export const powershellProfiles: ProfileTable = {
  'get-childitem': getChildItem,
  gci: getChildItem,
  ls: getChildItem,
  dir: getChildItem,
  'get-content': getContent,
  gc: getContent,
  cat: getContent,
  type: getContent,
  'select-string': cmdlet({
    switches: 'CaseSensitive SimpleMatch Quiet List NotMatch AllMatches',
    values: 'Pattern Context Encoding',
    paths: 'Path LiteralPath',
    positional: ['value', 'path'],
    needsPath: false,
  }),
  'test-path': cmdlet({ paths: 'Path LiteralPath', values: 'PathType', positional: ['path'] }),
  'resolve-path': cmdlet({ switches: 'Relative', paths: 'Path LiteralPath', positional: ['path'] }),
  'get-location': noArguments,
  pwd: noArguments,
  'get-date': noArguments,
  'write-output': output,
  echo: output,
  'select-object': selectObject,
  select: selectObject,
  'measure-object': measureObject,
  measure: measureObject,
  'out-string': noArguments,
  git: gitProfile,
};

/** Cmdlets that may follow a pipe. Others would open the files that their input names. */
export const powershellFilters: ReadonlySet<string> = new Set([
  'select-object',
  'select',
  'measure-object',
  'measure',
  'out-string',
]);
