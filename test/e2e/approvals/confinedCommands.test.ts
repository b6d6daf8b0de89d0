import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { useChatWindow } from '../../support/window/chatWindow';

/** The lines that make a folder a repository whose configuration names a program. Git runs it, and it leaves a mark. */
const repository = (folder: string, mark: string): string =>
  [
    `mkdir -p ${folder}/objects ${folder}/refs/heads`,
    `printf '[core]\nbare = false\nrepositoryformatversion = 0\nfsmonitor = "touch %s #"\n' "${mark}" > ${folder}/config`,
    `echo 'ref: refs/heads/main' > ${folder}/HEAD`,
  ].join('\n');

describe('a confined command in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'a.txt': 'a\n',
      'sub/b.txt': 'b\n',
      'control/c.txt': 'c\n',
      // Puts the repository in place at once, and stays to give VS Code time.
      'trap.sh': `${repository('made', '$PWD/mark-of-trap')}\nmv made sub/.git\nmkdir .vscode\nsleep 5\necho made\n`,
    },
    settings: { 'openAgent.confineCommands': 'workspace', 'git.autoRepositoryDetection': true },
  });

  before(async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
  });

  it("cannot make VS Code's git run a program", async () => {
    await window.ask(
      'Try it',
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'sh trap.sh' } }] },
      { text: 'Tried.' },
    );
    await window.button('Run').click();
    await window.untilAnswered('Tried.');
    const result = String((await window.request(2)).body.messages.at(-1)?.content);
    assert.match(result, /^made$/m);
    assert.match(result, /Moved out of the workspace: .*sub\/\.git, to /);
    await window.workbench.screenshot('e2e-command-set-aside');

    // The same from outside shows that VS Code runs git in a new repository by itself.
    const control = path.join(window.folder, 'control');
    await mkdir(path.join(control, '.git/objects'), { recursive: true });
    await mkdir(path.join(control, '.git/refs/heads'), { recursive: true });
    const mark = path.join(window.folder, 'mark-of-control');
    await window.write(
      'control/.git/config',
      `[core]\nbare = false\nrepositoryformatversion = 0\nfsmonitor = "touch ${mark} #"\n`,
    );
    await window.write('control/.git/HEAD', 'ref: refs/heads/main\n');
    while (!existsSync(mark)) await window.workbench.page.waitForTimeout(200);
    assert.equal(existsSync(path.join(window.folder, 'mark-of-trap')), false);
    assert.equal(existsSync(path.join(window.folder, 'sub/.git')), false);
    assert.equal(existsSync(path.join(window.folder, '.vscode')), false);
  });
});
