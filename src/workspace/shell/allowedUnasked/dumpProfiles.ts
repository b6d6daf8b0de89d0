import * as l10n from '../../../util/l10n';
import { NUMBER, readFlags, type FlagTable } from './flags';
import { profile } from './operands';
import { canChangeThings, unknownArgument, type Profile, type ProfileTable } from './profile';

// Programs that show files in another form: as bytes, in lines of another width, as text that is safe to send.

const XXD: FlagTable = { short: 'abeipuE', values: { 'c g l s o': NUMBER } };

/**
 * xxd reads only the first letter of a word: of `-pl 64 a` it would read the file `64` and write to `a`. So each option is a
 * word of its own. A second file is written, and what follows the first file is one.
 */
const xxd: Profile = (args) => {
  const cluster = args.find((arg) => /^-[^\d-]{2}/.test(arg));
  const found = cluster === undefined ? readFlags(args, XXD) : undefined;
  if (!found?.ok) return unknownArgument(found?.unknown ?? cluster ?? '');
  const [file, written] = [...found.operands, ...found.alsoOpened];
  if (written !== undefined) return l10n.t('would write to `{0}`', written);
  return { reads: file === undefined || file === '-' ? [] : [file] };
};

const plainStrings = profile('files', { short: 'aw', values: { n: NUMBER, t: /^[dox]$/ }, allowsNumber: true });

/** `@file` stands for the options in that file. */
const strings: Profile = (args) => {
  const list = args.find((arg) => arg.startsWith('@'));
  return list === undefined ? plainStrings(args) : unknownArgument(list);
};

/**
 * The names in an archive. Both programs try further endings, and unzip takes patterns for names of archives. `zipinfo` is
 * `unzip` under another name. Options come first: `unzip a.zip -l` unpacks the file `-l`.
 */
function listing(isOption: RegExp, endings: readonly string[], needsOption: boolean): Profile {
  return (args) => {
    const options = args.filter((arg) => arg.startsWith('-'));
    const [archive, ...more] = args.filter((arg) => !arg.startsWith('-'));
    const late = args.slice(options.length).find((arg) => arg.startsWith('-'));
    const strange = late ?? [...options.filter((option) => !isOption.test(option)), ...more][0];
    if (strange !== undefined || archive === undefined || /[*?[\]\\]/.test(archive))
      return unknownArgument(strange ?? args.join(' '));
    if (needsOption && options.length === 0) return canChangeThings();
    return { reads: ['', ...endings].map((ending) => archive + ending) };
  };
}

const GZIP_ENDINGS = ['.gz', '-gz', '.z', '-z', '_z', '.Z'];
const plainZcat = profile('files');

/** zcat tries further endings too. */
const zcat: Profile = (args) => {
  const call = plainZcat(args);
  return typeof call === 'string'
    ? call
    : { ...call, reads: call.reads.flatMap((file) => ['', ...GZIP_ENDINGS].map((ending) => file + ending)) };
};

/** A name with a colon can be a file of another machine. Other endings can be formats that name further files. */
const ARCHIVE = /^[^:]+\.(?:tar(?:\.(?:gz|bz2|xz|zst))?|tgz|tbz2?|txz)$/;

/** `tar -tf archive` and `tar tzvf archive member`: lists names. */
const tar: Profile = ([options = '', archive = '', ...members]) => {
  if (!/^-?[tvzjJ]*f$/.test(options) || !options.includes('t')) return unknownArgument(options);
  const strange = [archive, ...members].find((word) => word.startsWith('-') || word.startsWith('@'));
  if (strange !== undefined || !ARCHIVE.test(archive)) return unknownArgument(strange ?? archive);
  return { reads: [archive] };
};

/** Larger ones fill the memory or the output with blanks. */
const WIDTH = /^\d{1,4}$/;
const TABS = /^\d{1,4}(?:,\d{1,4})*$/;

export const dumpProfiles: ProfileTable = {
  base64: profile('files', { short: 'd', long: 'decode', values: { 'w wrap': NUMBER } }),
  expand: profile('files', { values: { t: TABS } }),
  fmt: profile('files', { short: 's', values: { w: NUMBER }, allowsNumber: true }),
  fold: profile('files', { short: 'bs', values: { w: NUMBER }, allowsNumber: true }),
  gzip: listing(/^-lv?$/, GZIP_ENDINGS, true),
  hexdump: profile('files', { short: 'bcCdovx', values: { 'n s': NUMBER } }),
  od: profile('files', {
    short: 'abcdfiloxv',
    long: 'output-duplicates',
    values: {
      'A address-radix': /^[dnox]$/,
      't format': /^(?:a|c|[doux](?:[1248CSIL])?|f(?:[48FDL])?|z)+$/,
      'j skip-bytes N read-bytes': /^(?:\d+|0x[\da-f]+)$/,
    },
    optional: { 'w width': WIDTH },
  }),
  rev: profile('files'),
  shasum: profile('files', { values: { 'a algorithm': NUMBER } }),
  strings: Object.assign(strings, { table: plainStrings.table }),
  tar,
  unexpand: profile('files', { short: 'a', values: { t: TABS } }),
  unzip: listing(/^-lv?$/, ['.zip', '.ZIP'], true),
  xxd: Object.assign(xxd, { table: XXD }),
  zcat: Object.assign(zcat, { table: plainZcat.table }),
  zipinfo: listing(/^-[12hlmstz]$/, ['.zip', '.ZIP'], false),
};
