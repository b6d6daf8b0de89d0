import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import * as fc from 'fast-check';
import { commandEnvironment } from '../../../src/workspace/node/commands/commandEnvironment';
import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import { guardPath } from '../../../src/workspace/paths/guardPath';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { placedCommand, type PlacedCommand } from '../../support/leaks/arbitraries/placedCommands';
import { findUnaskedPrograms } from '../../support/leaks/arbitraries/unaskedOptions';
import { fuzzRuns } from '../../support/leaks/fuzzRuns';
import { installedRipgrep } from '../../support/leaks/installedRipgrep';
import type { Variant } from '../../support/leaks/marks';
import { property } from '../../support/leaks/property';
import { buildWorld, type LeakWorld } from '../../support/leaks/world';

/** Commands of one run; see `fuzzRuns`. */
const COMMANDS_OF_A_RUN = 100;
const AT_ONCE = 200;
/** How often a command is run again whose output differs. */
const ATTEMPTS = 10;
/** They show the time, free space, inodes, times of change or how long they took. */
const CHANGING = /\b(?:date|df|free|lscpu|uptime|stat|find|ls|du|tree|blame)\b|--stats\b/;

describe('commands that run unasked, with folders, patterns and options at once', () => {
  let world: LeakWorld;

  before(async () => {
    const rg = installedRipgrep();
    world = await buildWorld({ seed: 5, hasHardLinks: true, programs: { ...(rg !== undefined && { rg }) } });
  });
  after(() => world[Symbol.asyncDispose]());

  property('tell nothing of protected and outside files, and change nothing', async () => {
    const { numRuns = 0, seed = 0 } = fuzzRuns(10);
    const programs = findUnaskedPrograms().filter(({ words }) => words[0] !== 'sleep');
    const commands = fc.sample(placedCommand(programs), { seed, numRuns: numRuns * COMMANDS_OF_A_RUN });

    await world.reset('one');
    const decided = await assessAll(commands);
    const outputs = runAll(decided);
    const leaks = marksIn(decided, outputs, 'one');
    assert.deepEqual({ leaks, changes: await world.changes(), ran: await world.canary() }, NOTHING);

    await world.reset('other');
    const again = await assessAll(commands);
    assert.deepEqual(again.map(decisionOf), decided.map(decisionOf));
    const otherOutputs = runAll(again);
    const otherLeaks = marksIn(again, otherOutputs, 'other');
    assert.deepEqual({ leaks: otherLeaks, changes: await world.changes(), ran: await world.canary() }, NOTHING);
    assert.deepEqual(await findUnsteady(decided, outputs, otherOutputs), []);

    const unasked = decided.filter(({ runs }) => runs !== undefined);
    const expanded = unasked.filter(({ isExpanded }) => isExpanded);
    console.log(
      `      ${unasked.length} of ${commands.length} commands ran, ${expanded.length} with patterns, ` +
        `${unasked.filter(({ isMoved }) => isMoved).length} in other folders`,
    );
    assert.equal(unasked.length > commands.length / 10 && expanded.length > commands.length / 50, true);
  });

  interface Decided {
    readonly reason: string;
    /** The command that runs; `undefined`: it asks. */
    readonly runs: string | undefined;
    readonly folder: string;
    readonly isExpanded: boolean;
    readonly isMoved: boolean;
    readonly environment: Readonly<Record<string, string>>;
  }

  async function assessAll(commands: readonly PlacedCommand[]): Promise<readonly Decided[]> {
    const machine = { ...commandWorld(world.workspace, world.environment), isProtected: isReadingProtected };
    const { roots, fileSystem } = machine;
    const decided: Decided[] = [];
    for (const { cwd, command } of commands) {
      const guarded = await guardPath(path.join(world.workspace, cwd), { roots, fileSystem, outside: 'mark' });
      const isInside = guarded.ok && guarded.path.pathInRoot !== null;
      const folder = isInside ? guarded.path : commandPlan('', world.workspace).cwd;
      const assessment = await assessCommand({ command, cwd: folder }, [], machine);
      const { action, reason, expanded, environment } = assessment;
      decided.push({
        reason,
        runs: action === 'allow' && isInside ? (expanded ?? command) : undefined,
        folder: folder.realPath,
        isExpanded: expanded !== undefined,
        isMoved: folder.pathInRoot !== '' || assessment.folder.pathInRoot !== '',
        environment,
      });
    }
    return decided;
  }

  /** The output and exit code of each command; empty for those that ask. */
  function runAll(decided: readonly Decided[]): readonly string[] {
    const outputs: string[] = [];
    for (let start = 0; start < decided.length; start += AT_ONCE) {
      const batch = decided.slice(start, start + AT_ONCE);
      const script = batch.map(({ runs, folder, environment }) => {
        if (runs === undefined) return String.raw`printf '\0END\0'`;
        const variables = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
        return `(${[`cd '${folder}'`, ...variables, runs].join('; ')}) 2>&1; printf '\\n%s\\0END\\0' "$?"`;
      });
      const output = execFileSync('/bin/bash', ['--noprofile', '--norc'], {
        cwd: world.workspace,
        env: commandEnvironment({ ...world.environment }),
        input: `{\n${script.join('\n')}\n} </dev/null`,
        encoding: 'latin1',
        maxBuffer: 1 << 30,
      });
      const found = output.split('\0END\0');
      assert.equal(found.pop(), '');
      assert.equal(found.length, batch.length);
      outputs.push(...found);
    }
    return outputs;
  }

  /**
   * The commands that never print in one world what they print in the other. A program at the end of a pipe may end before the
   * one in front has written its errors, so each that differs runs again in both.
   */
  async function findUnsteady(
    decided: readonly Decided[],
    outputs: readonly string[],
    others: readonly string[],
  ): Promise<readonly string[]> {
    const suspects = decided.flatMap((one, index) => {
      const [output = '', other = ''] = [outputs[index], others[index]];
      const [inOne, inOther] = [new Set([sorted(output)]), new Set([sorted(other)])];
      return CHANGING.test(one.runs ?? '') || meet(inOne, inOther) ? [] : [{ one, output, other, inOne, inOther }];
    });
    for (const place of ['inOther', 'inOne'] as const) {
      if (place === 'inOne') await world.reset('one');
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const again = runAll(suspects.map(({ one }) => one));
        for (const [index, suspect] of suspects.entries()) suspect[place].add(sorted(again[index] ?? ''));
      }
    }
    return suspects
      .filter(({ inOne, inOther }) => !meet(inOne, inOther))
      .map(({ one, output, other }) => `${one.runs} in ${one.folder}: ${output} / ${other}`);
  }

  function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
    return [...some].some((text) => others.has(text));
  }

  function marksIn(decided: readonly Decided[], outputs: readonly string[], variant: Variant): readonly string[] {
    const search = world.search(variant);
    return decided.flatMap(({ runs, folder }, index) =>
      search.find(outputs[index] ?? '').map(({ name, form }) => `${runs} in ${folder} shows ${name} (${form})`),
    );
  }
});

/** The parts of a pipeline write their errors in any order. */
function sorted(text: string): string {
  return [...text].sort().join('');
}

const NOTHING = { leaks: [], changes: [], ran: '' };

function decisionOf({ runs, reason }: { readonly runs: string | undefined; readonly reason: string }): string {
  return JSON.stringify([runs, reason]);
}
