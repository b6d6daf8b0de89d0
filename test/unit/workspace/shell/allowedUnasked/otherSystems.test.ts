import assert from 'node:assert/strict';
import type { FlagTable } from '../../../../../src/workspace/shell/allowedUnasked/flags';
import { posixProfiles } from '../../../../../src/workspace/shell/allowedUnasked/posixProfiles';

/**
 * The letters that programs of macOS and FreeBSD know, in the form of getopt(3): `:` after a letter with a value, `::` after
 * one whose value stands in the same word. Source: the calls of getopt in Apple's text_cmds (commit 592aaf8), file_cmds
 * (9f23dc6) and shell_cmds (2987870), and in FreeBSD's cmp, diff, id and stat. Later rows of a program are other systems.
 */
const LETTERS: readonly (readonly [program: string, letters: string])[] = [
  ['basename', 'as:'],
  ['cat', 'belnstuv'],
  ['cksum', 'o:'],
  ['cmp', 'bhi:ln:sxz'],
  ['comm', '123i'],
  ['cut', 'b:c:d:f:snw'],
  ['df', 'abcgHhIiklmnPt:T:Y,'],
  ['df', 'abcgHhIiklmnPtT:Y,'],
  ['diff', '0123456789A:aBbC:cdD:efF:HhI:iL:lnNPpqrS:sTtU:uwW:X:x:y'],
  ['dirname', ''],
  ['du', 'AB:HI:LPasd:cghklmnrt:x'],
  ['egrep', '0123456789A:B:C:D:EFGHIJLMOSRUVXZabcd:e:f:hilm:nopqrsuvwxyz'],
  ['fgrep', '0123456789A:B:C:D:EFGHIJLMOSRUVXZabcd:e:f:hilm:nopqrsuvwxyz'],
  ['grep', '0123456789A:B:C:D:EFGHIJLMOSRUVXZabcd:e:f:hilm:nopqrsuvwxyz'],
  ['grep', '0123456789A:B:C:D:EFGHILOSRUVabcd:e:f:hilm:nopqrsuvwxyz'],
  ['head', 'n:c:'],
  ['id', 'AFPGagnpru'],
  ['id', 'GMPadgnprsu'],
  ['ls', '@1ABCD:FGHILOPRSTUWXabcdefghiklmnopqrstuvwxy%,'],
  ['nl', 'pb:d:f:h:i:l:n:s:v:w:'],
  ['pwd', 'LP'],
  ['realpath', 'q'],
  ['sort', 'bcCdfghik:Mmno:RrsS:t:T:uVz'],
  ['stat', 'f:FHlLnqrst:x'],
  ['readlink', 'fn'],
  ['tail', 'Fb:c:fn:qrv'],
  ['tr', 'Ccdsu'],
  ['uname', 'amnoprsv'],
  ['uniq', 'D::cdif:s:u'],
  ['wc', 'clmwL'],
  ['which', 'as'],
];

describe('the options of macOS and BSD', () => {
  for (const [program, letters] of LETTERS) {
    it(`take as many words as known here: ${program} ${letters}`, () => {
      const table = posixProfiles[program]?.table;
      if (!table) return;
      for (const [, letter = '', colons = ''] of letters.matchAll(/([^:])(:*)/g)) {
        const here = kindHere(letter, table);
        if (here === undefined) continue;
        // A value here that is none there must be checked as a path. A value there that is none here is checked anyway.
        if (colons !== ':') assert.notEqual(here, 'unchecked value', `-${letter}`);
      }
    });
  }
});

function kindHere(
  letter: string,
  { short = '', values = {} }: FlagTable,
): 'flag' | 'unchecked value' | 'file' | undefined {
  const value = Object.entries(values).find(([names]) => names.split(' ').includes(letter))?.[1];
  if (value !== undefined) return value === 'file' ? 'file' : 'unchecked value';
  return short.includes(letter) ? 'flag' : undefined;
}
