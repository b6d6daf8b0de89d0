import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { chooseStages } from '../../../scripts/test/chooseStages';
import { stagesOf } from '../../../scripts/test/stages';

const stages = stagesOf({ grep: undefined });

/** The arguments of the commands of a stage. */
function argumentsOf(name: string): readonly string[] {
  const found = stages.find((stage) => stage.name === name) ?? assert.fail(`There is no stage ${name}.`);
  return found.parts.flat().flatMap(({ args }) => args);
}

describe('the stages of npm test', () => {
  it('run each test file exactly once', () => {
    const files = readdirSync(path.join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
      .map((name) => `test/${name.replaceAll(path.sep, '/')}`)
      .filter((name) => /\.(test|spec)\.\w+$/.test(name) && !name.startsWith('test/fixtures/'));
    const run = stages.flatMap(({ parts }) => parts.flat().flatMap((command) => command.files));
    assert.ok(files.length > 200);
    assert.deepEqual(run.toSorted(), files.toSorted());
  });

  it('compile each folder with its own compiler settings', () => {
    const projects = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*tsconfig.json'], {
      cwd: projectRoot,
      encoding: 'utf8',
    });
    const expected = projects.split('\n').filter((file) => file !== '' && !/^(examples|test\/fixtures)\//.test(file));
    assert.ok(expected.includes('src/host/api/tsconfig.json'));
    const compiled = argumentsOf('types').filter((argument) => argument.endsWith('tsconfig.json'));
    assert.deepEqual(compiled.toSorted(), expected.toSorted());
  });

  it('pass the text of --grep to every command with tests, and to no check', () => {
    for (const { hasCounts, args } of stagesOf({ grep: 'some text' }).flatMap(({ parts }) => parts.flat())) {
      assert.equal(args.includes('some text'), hasCounts, args.join(' '));
    }
  });

  it('start the long part of the windows before the short ones', () => {
    const names = stages.filter(({ hasWindows }) => hasWindows).map(({ name }) => name);
    assert.deepEqual(names, ['e2e', 'host', 'package']);
  });
});

describe('chooseStages', () => {
  const stage = (name: string, ...needs: readonly string[]) => ({ ...stages[0]!, name, needs });
  const list = [stage('package', 'e2e'), stage('e2e', 'build'), stage('lint'), stage('build')];

  it('adds all stages that the chosen ones need, directly or not', () => {
    assert.deepEqual(
      chooseStages(list, ['package']).map(({ name }) => name),
      ['package', 'e2e', 'build'],
    );
  });

  it('rejects an unknown stage', () => {
    assert.throws(() => chooseStages(list, ['lint', 'typo']), /There is no stage "typo"\./);
  });
});
