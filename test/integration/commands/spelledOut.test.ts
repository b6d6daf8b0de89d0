import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandEnvironment } from '../../../src/workspace/node/commands/commandEnvironment';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import { createAgentFolder } from '../../support/commands/agentFolder';
import { assessorWithAssumedPrograms } from '../../support/commands/assumedPrograms';
import { commandPlan, commandWorld } from '../../support/commands/commandWorld';
import { fixturePath } from '../../support/files/fixturePath';
import type { TemporaryFolder } from '../../support/files/temporaryFolder';

/** Further ones, about what is easily lost. */
const COMMANDS = [
  'find . -name "*.txt" | xargs -n 3 echo; echo "$?"',
  "find . -name '*.md' -print0 | xargs -0 -I{} echo '<{}>'",
  'find docs -type f -exec sh -c \'echo "$1 $0"\' zero {} \\;',
  'find . -name "*.none" | xargs cat | wc -l',
  'find . -name "*.none" -exec cat {} +',
  'for f in docs/*; do echo "[$f]"; wc -c "$f"; done',
  'for f in a.txt b.txt; do for g in 1 2; do echo "$f $g"; done; done',
  'for f in a.txt none.txt; do [ -f "$f" ] && cat "$f" || echo "no $f"; done',
  'printf "a b\\n  c  d \\n" | while read x; do echo "[$x]"; done',
  'printf "a b c\\nd\\n" | while read x y; do echo "[$x][$y]"; done',
  'printf \' a \\nb\' | while IFS= read -r x; do echo "[$x]"; done',
  'ls docs | while read f; do echo "$f"; done | wc -l',
  'while read x; do echo "<$x>"; done < a.txt',
  'x=$(ls docs | head -1); echo "$x"; x=b.txt; cat $x',
  'cd docs; ls; pwd | grep -c docs',
  'cd docs && ls || echo no; ls',
  'echo "$(cat a.txt) and $(wc -l < b.txt)" $(ls src)',
  'echo `ls src`',
  'echo $((7 / 2)) $((7 % 2)) $((3 - 5))',
  'cat {a,b}.txt',
  'ls | xargs -n1 bash -c \'echo "$0 $1 [$2]"\'',
  'for f in $(find docs -name none); do echo "x$f"; done',
  'x=$(ls docs | head -1) && echo "$x"',
  'x=$(grep -c v README.md) && echo $x',
  'find src -exec echo {a,b} {} \\;',
  'find docs -type f -exec grep -q zzz {} \\; && echo found',
  'find none -exec cat {} + || echo failed',
  'find src -name none -exec cat {} + && echo done',
  'rg -l v . | xargs wc -c; grep -r v README.md -l | xargs cat',
];

/** The other words would not do the same. */
const DIFFERENT = [
  'x=a,b; cat {$x}.txt',
  'cat {$(echo a,b)}.txt',
  'for f in a,b; do cat {$f}.txt; done',
  'find src -type f ! -exec grep -q Parser {} \\; -print',
  'find src -type f -not -exec grep -q Parser {} \\; -print',
  'x=a; x+=.txt; cat $x',
  'x=b:~; echo $x',
  '{ x=a.txt; }; cat $x',
  'false; echo "$(echo $?)"',
  'x=$(grep zzz a.txt) && echo found',
  'x=$(grep zzz a.txt); echo $?',
  'while read x; false; do echo $x; done < a.txt',
  'while read x; do echo $x; done < none.txt || echo none',
  'ls | xargs -n1 test -f && echo files',
  'ls *.txt | xargs grep zzz; echo $?',
  'echo a.txt | xargs test -d; [ "$?" -eq 123 ] && echo failed',
  'x=2; echo $x>/dev/null',
  'echo $(echo 2)>/dev/null',
  'echo $((1+1))>/dev/null',
  'x=LC_ALL=C; $x ls',
  'while read x; do echo $x; done < src/*',
  '$(echo LC_ALL=C) ls',
];

/** The content of a file would choose the file that is read. */
const CHOSEN_BY_CONTENT = [
  'cat $(cat list)',
  'cat $(basename $(cat list))',
  'cat $(echo $(cat list) | tr x y)',
  'x=$(cat list) && cat "$x"',
  "cat $(printf '%s' $(cat list))",
  'cat $(rg -N -I -tsql -o b.txt list)',
  'cat $(rg -Ntsql -I x list)',
  'cat $(grep -h -e -l -e b list)',
  'cat $(git blame -ls list)',
  'cat $(git show --stat --format=%s)',
  'cat $(git log -1 --format=%s)',
  "tr ' ' '\\0' < list | xargs -0 cat",
  'x=$(file -b list); cat $x',
];

/** A command that runs in other words must print the same. */
describe('commands that run in other words', () => {
  let folder: TemporaryFolder;

  before(async () => {
    folder = await createAgentFolder({
      list: 'docs/b.txt\n',
      'words.txt': 'a '.repeat(6000),
      'wide.txt': '漢'.repeat(45_000),
    });
  });
  after(() => folder.dispose());

  function run(command: string): string {
    return runBoth(command).stdout;
  }

  function runBoth(command: string): { readonly stdout: string; readonly stderr: string } {
    return spawnSync('bash', ['--noprofile', '--norc', '-c', command], {
      cwd: folder.path,
      env: commandEnvironment(process.env),
      encoding: 'utf8',
    });
  }

  it('print what they print as written', async () => {
    const assess = assessorWithAssumedPrograms(folder.path);
    const listed = readFileSync(fixturePath('composedAgentCommands.txt'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .map((line) => line.slice(2))
      // A part of them, for the time that it takes.
      .filter((_, index) => index % 3 === 0);
    const found: string[] = [];
    const printed: { readonly command: string; readonly output: string }[] = [];
    const expected: typeof printed = [];
    for (const command of [...COMMANDS, ...listed]) {
      const { action, expanded } = await assess(commandPlan(command, folder.path), []);
      if (action !== 'allow' || expanded === undefined) continue;
      found.push(command);
      printed.push({ command, output: run(expanded) });
      expected.push({ command, output: run(command) });
    }
    assert.deepEqual(
      COMMANDS.filter((command) => !found.includes(command)),
      [],
    );
    console.log(`      ${found.length} commands`);
    assert.deepEqual(printed, expected);
  });

  it('print the errors of the commands that ran for them', async () => {
    const assess = assessorWithAssumedPrograms(folder.path);
    const commands = [
      'echo $(ls none.txt)',
      'cd docs && cat $(ls b.txt none.txt)',
      'for f in $(ls none.txt a.txt); do echo "$f"; done',
      'find src none -name "*.ts" -exec wc -c {} +',
      'echo "$(echo $(ls none.txt) x)"',
    ];
    for (const command of commands) {
      const { action, expanded = '' } = await assess(commandPlan(command, folder.path), []);
      assert.equal(action, 'allow', command);
      const [printed, asWritten] = [runBoth(expanded), runBoth(command)];
      assert.equal(printed.stdout, asWritten.stdout, expanded);
      assert.equal(printed.stderr, asWritten.stderr.replaceAll(/[‘’]/g, "'"), expanded);
      assert.match(printed.stderr, /none/);
    }
  });

  async function allowed(commands: readonly string[]): Promise<readonly string[]> {
    const assess = assessorWithAssumedPrograms(folder.path);
    const found: string[] = [];
    for (const command of commands)
      if ((await assess(commandPlan(command, folder.path), [])).action === 'allow') found.push(command);
    return found;
  }

  it('ask where the other words would not do the same', async () => {
    assert.deepEqual(await allowed(DIFFERENT), []);
  });

  it('ask where the content of a file would choose what is read', async () => {
    assert.deepEqual(await allowed(CHOSEN_BY_CONTENT), []);
  });

  it('ask before anything runs if they nest deep, only wait, or stand for very much', async () => {
    let length = 0;
    const machine = createNodeCommandWorld();
    const world = {
      ...commandWorld(folder.path),
      readOutput: async (request: Parameters<NonNullable<typeof machine.readOutput>>[0]) => {
        length = Math.max(length, request.command.length);
        return machine.readOutput?.(request);
      },
    };
    const commands = [
      `echo ${'$(echo '.repeat(9)}a${')'.repeat(9)}`,
      'echo $(sleep 0)',
      `for i in ${'{1..9999} '.repeat(100)}; do echo $i; done`,
      `echo ${'a '.repeat(2000)} $(echo a)`,
    ];
    for (const command of commands)
      assert.equal((await assessCommand(commandPlan(command, folder.path), [], world)).action, 'ask', command);
    assert.equal(length, 0);
  });

  it('ask if they have very many words, or more bytes than a program gets', async () => {
    assert.deepEqual(await allowed(['echo $(cat words.txt)', 'echo "$(cat wide.txt)"']), []);
  });
});
