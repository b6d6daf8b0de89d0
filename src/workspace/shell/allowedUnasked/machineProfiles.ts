import * as l10n from '../../../util/l10n';
import { profile } from './operands';
import { unknownArgument, type Profile, type ProfileTable } from './profile';

// Programs that tell about the machine, the terminal or themselves, and read no file that is named.

/** For programs that read no file of the current folder to show their version. */
export function versionOnly(...options: readonly string[]): Profile {
  return (args) =>
    args.length === 1 && options.includes(args[0] ?? '') ? { reads: [] } : l10n.t('can run code or change things');
}

const version = versionOnly('--version');

const tput: Profile = (args) =>
  args.length === 1 && /^(?:cols|lines|colors)$/.test(args[0] ?? '') ? { reads: [] } : unknownArgument(args.join(' '));

const node = versionOnly('--version', '-v');
const python = versionOnly('--version', '-V');

/** npm, pip, go, cargo, java and the like are missing: files of the workspace can make them write, or choose what runs. */
export const machineProfiles: ProfileTable = {
  arch: profile('none'),
  bash: version,
  cal: profile('none'),
  cc: version,
  clang: version,
  cmake: version,
  free: profile('none', { short: 'bkmght', long: 'bytes human total' }),
  'g++': version,
  gcc: version,
  groups: profile('none'),
  locale: profile('none'),
  lsblk: profile('none'),
  lscpu: profile('none'),
  node,
  nproc: profile('none', { long: 'all' }),
  python,
  python3: python,
  tput,
  tty: profile('none'),
  // `shellBuiltins` lets them show what is set, no more.
  ulimit: (args) => (/^-[anst]$/.test(args.join(' ')) ? { reads: [] } : unknownArgument(args.join(' '))),
  umask: profile('none'),
  uptime: profile('none'),
};
