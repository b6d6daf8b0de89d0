import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

const SCRIPT = [
  "const test = require('node:test');",
  "const assert = require('node:assert');",
  "test('adds one', () => {",
  '  assert.equal(1 + 1, 3);',
  '});',
  "test('is fine', () => {",
  '  assert.ok(true);',
  '});',
  '',
].join('\n');

const TASKS = {
  version: '2.0.0',
  tasks: [
    {
      label: 'verify',
      type: 'shell',
      command: "echo 'src/total.js(2): error: The total is wrong.'; exit 3",
      group: 'test',
      problemMatcher: {
        owner: 'verify',
        fileLocation: ['relative', '${workspaceFolder}'],
        pattern: { regexp: String.raw`^(.*)\((\d+)\): (error): (.*)$`, file: 1, line: 2, severity: 3, message: 4 },
      },
    },
  ],
};

describe('tests that the person runs in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'test/total.test.js': SCRIPT,
      'src/total.js': 'let a;\nlet b;\n',
      '.vscode/tasks.json': JSON.stringify(TASKS),
    },
  });
  const picks = () => window.workbench.page.locator('.quick-input-widget .monaco-list-row');

  before(async () => {
    await new Chat(() => window.workbench).show();
  });

  it('are found near the cursor, run in a terminal, and are sent with their output when they fail', async () => {
    const { workbench } = window;
    await workbench.openFile('test/total.test.js');
    await workbench.selectText('1 + 1');
    await workbench.startCommand('Open Agent: Run Tests…');
    await picks().filter({ hasText: 'Task: verify' }).waitFor();
    await workbench.screenshot('run-tests-pick');
    const shown = await picks().allInnerTexts();
    assert.match(
      shown[0] ?? '',
      /“adds one” in total\.test\.js\s+node --test '--test-name-pattern=adds one' test\/total\.test\.js/,
    );
    assert.match(shown[1] ?? '', /All tests of total\.test\.js\s+node --test test\/total\.test\.js/);
    await workbench.page.keyboard.press('Enter');
    const failed = await workbench.notification('Tests failed: “adds one” in total.test.js, exit code 1.');
    await workbench.screenshot('run-tests-failed');
    window.expect({ text: 'The test expects 3, but 1 + 1 is 2.' });
    await failed.getByRole('button', { name: 'Fix with Open Agent' }).click();
    await window.untilAnswered('The test expects 3, but 1 + 1 is 2.');
    const sent = String((await window.request(1)).body.messages.at(-1)?.content);
    assert.match(
      sent,
      /Command: node --test '--test-name-pattern=adds one' test\/total\.test\.js\nResult: exit code 1\n/,
    );
    // Each version of Node reports in its own way.
    assert.match(sent, /Output:\n[^]*adds one[^]*2 !?== 3/);
    assert.match(sent, /The tests fail\. Find the cause and say it first\./);
    // Only the test at the cursor ran.
    assert.match(sent, /pass 0\n/);
    await workbench.screenshot('run-tests-sent');
  });

  it('say that they passed', async () => {
    const { workbench } = window;
    await workbench.openFile('test/total.test.js');
    await workbench.selectText('assert.ok(true)');
    await workbench.pick('Open Agent: Run Tests…', '“is fine” in total.test.js');
    await workbench.notification('Tests passed: “is fine” in total.test.js.');
  });

  it('can be a task of the workspace, whose exit code and problem matchers are read', async () => {
    const { workbench } = window;
    await workbench.openFile('src/total.js');
    await workbench.startCommand('Open Agent: Run Tests…');
    // The file has tests elsewhere.
    await picks().filter({ hasText: 'All tests of total.test.js' }).waitFor();
    await picks().filter({ hasText: 'Task: verify' }).click();
    const failed = await workbench.notification('Tests failed: Task: verify, exit code 3.');
    window.expect({ text: 'Line 2 is wrong.' });
    await failed.getByRole('button', { name: 'Fix with Open Agent' }).click();
    await window.untilAnswered('Line 2 is wrong.');
    const sent = String((await window.request(1)).body.messages.at(-1)?.content);
    assert.match(sent, /Task: verify\nResult: exit code 3\n/);
    assert.match(sent, /src\/total\.js:\nline 2: error: The total is wrong\./);
  });
});
