import assert from 'node:assert/strict';
import fc from 'fast-check';
import { markedParts } from '../../src/webview/approval/markedParts';
import { formatSeconds } from '../../src/agent/view/duration';
import { relativeTime } from '../../src/webview/format/relativeTime';
import { terminalOutput } from '../../src/webview/format/terminalOutput';
import { formatTokens, formatWindow } from '../../src/webview/format/tokens';
import { toolLook, toolSummary } from '../../src/webview/format/toolState';
import { titleText, toolTitle } from '../../src/webview/format/toolTitle';
import { linkTarget } from '../../src/webview/markdown/linkTarget';
import { tool } from './support/sessions';

describe('terminalOutput', () => {
  const cases: readonly (readonly [name: string, output: string, expected: string])[] = [
    ['leaves out colours', '\u001B[1;32mok\u001B[0m 3 tests', 'ok 3 tests'],
    ['leaves out titles and links', '\u001B]0;title\u0007a\u001B]8;;http://x\u001B\\b', 'ab'],
    ['shows the last state of a progress line', ' 10%\r 50%\r100%\ndone', '100%\ndone'],
    ['keeps the text of a line that ends in a carriage return', 'half\r', 'half\r'],
    ['reads CRLF as a line end', 'a\r\nb\r\n', 'a\nb\n'],
  ];
  for (const [name, output, expected] of cases) it(name, () => assert.equal(terminalOutput(output), expected));
});

describe('times and numbers', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const now = Date.UTC(2026, 10, 21, 12);
  it('gives durations in seconds and minutes', () => {
    assert.deepEqual([-5, 7900, 125_000, 12_000_000].map(formatSeconds), ['0 s', '7 s', '2 min 5 s', '3 h 20 min']);
  });
  it('gives ages in the largest unit', () => {
    assert.deepEqual(
      [0, 5 * minute, 3 * hour, 30 * hour, 96 * hour].map((age) => relativeTime(now - age, now)),
      ['just now', '5 min ago', '3 h ago', 'yesterday', '4 days ago'],
    );
  });
  it('shortens token counts', () => {
    assert.deepEqual([950, 3210, 32_000].map(formatTokens), ['950', '3.2k', '32k']);
    assert.deepEqual([32_768, 4000].map(formatWindow), ['32k', '4k']);
  });
});

describe('toolSummary', () => {
  const denied = tool({ id: 'a', toolName: 'write_file', state: 'denied' });
  it('gives the reason of a refusal without a question', () => {
    const result =
      'The call was denied. Nothing was changed. Reason: The session is in plan mode: edits are refused. Read on.';
    assert.equal(toolSummary({ ...denied, result }), 'Refused: The session is in plan mode: edits are refused.');
    assert.equal(toolLook(denied).label, 'Refused');
    assert.equal(toolSummary(denied), 'Refused.');
  });
  it('names what forbade a call that the person had allowed, such as a rule added meanwhile', () => {
    const result =
      'The call was denied. Nothing was changed. Reason: The rule "npm *" from your settings forbids this. Do not try it in another way.';
    const late = { ...denied, toolName: 'run_terminal_command', result, approvalOutcome: 'allowed' } as const;
    assert.equal(toolSummary(late), 'Refused: The rule "npm *" from your settings forbids this.');
    assert.equal(toolLook(late).label, 'Refused');
  });
  it('shows a command as running only while the command with exactly this id runs in the background', () => {
    const started = tool({
      id: 'a',
      toolName: 'run_terminal_command',
      state: 'succeeded',
      display: { background: 'a/1' },
    });
    assert.deepEqual(
      ['a/1', 'b,a/1', 'a/10', ''].map((running) => toolLook(started, running).label),
      ['Running', 'Running', 'Done', 'Done'],
    );
  });
  it('says Rejected when the person rejected the edit', () => {
    const result = 'The call was denied. Nothing was changed. Reason: The user said no.';
    assert.equal(toolSummary({ ...denied, result, approvalOutcome: 'denied' }), 'Rejected.');
    assert.equal(toolLook({ ...denied, approvalOutcome: 'denied' }).label, 'Rejected');
    const reason = { approvalOutcome: 'denied', denialReason: 'Not here' } as const;
    assert.equal(toolSummary({ ...denied, ...reason }), 'Rejected: Not here');
    assert.equal(toolSummary({ ...denied, ...reason, toolName: 'read_file' }), 'Denied: Not here');
  });
});

describe('toolTitle', () => {
  const text = (item: Parameters<typeof toolTitle>[0]): string => {
    const title = toolTitle(item);
    return [titleText(title), title.detail].filter((part) => part !== undefined && part !== '').join(' ');
  };
  const titles: readonly (readonly [toolName: string, input: Record<string, string | number>, expected: string])[] = [
    ['read_file', { path: 'src/a.ts' }, 'Read src/a.ts'],
    ['read_file', { path: 'src/a.ts', start_line: 3, end_line: 9 }, 'Read src/a.ts lines 3 to 9'],
    ['read_file', { path: 'src/a.ts', start_line: 3 }, 'Read src/a.ts from line 3'],
    ['list_directory', {}, 'List .'],
    ['get_diagnostics', { path: 'src/a.ts' }, 'Check src/a.ts'],
    ['search_text', { pattern: 'total', path: 'src' }, 'Search total in src'],
    ['find_symbol', { symbol: 'subtotal', find: 'callers' }, 'Find subtotal callers'],
    ['find_symbol', { symbol: 'subtotal in a.ts', find: 'rename to sum' }, 'Rename subtotal in a.ts to sum'],
    ['find_symbol', { symbol: 'subtotal', new_name: 'sum' }, 'Rename subtotal to sum'],
    ['apply_edit', { path: 'src/a.ts' }, 'Edit src/a.ts'],
    ['write_file', { path: 'src/a.ts' }, 'Write src/a.ts'],
    ['run_terminal_command', { command: 'npm test' }, 'Run npm test'],
    ['ask_weather', { city: 'Bern' }, 'Run ask_weather'],
  ];
  for (const [toolName, input, expected] of titles) {
    it(`says "${expected}"`, () => assert.equal(text(tool({ id: 'x', toolName, state: 'ready', input })), expected));
  }
  it('reads a path from incomplete arguments', () => {
    const argumentsText = '{"path":"src/\\u0061.ts","edits":[{"old_te';
    assert.equal(text(tool({ id: 'x', toolName: 'apply_edit', state: 'writing', argumentsText })), 'Edit src/a.ts');
  });
  it('waits for an incomplete path', () => {
    assert.equal(
      text(tool({ id: 'x', toolName: 'apply_edit', state: 'writing', argumentsText: '{"path":"sr' })),
      'Edit',
    );
  });
});

describe('linkTarget', () => {
  const targets: readonly (readonly [href: string, target: ReturnType<typeof linkTarget>])[] = [
    ['https://example.com/a?b#c', { kind: 'web', href: 'https://example.com/a?b#c' }],
    ['mailto:a@example.com', { kind: 'web', href: 'mailto:a@example.com' }],
    ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
    ['./src/a%20b.ts#L12-L14', { kind: 'file', path: './src/a b.ts', line: 12 }],
    ['main.ts:12:3', { kind: 'file', path: 'main.ts', line: 12 }],
    ['file:///home/me/a.ts', { kind: 'file', path: '/home/me/a.ts' }],
    ['C:\\code\\a.ts', { kind: 'file', path: 'C:\\code\\a.ts' }],
    ['javascript:alert(1)', undefined],
    ['JaVa\nScRiPt:alert(1)', undefined],
    ['\u0001javascript:alert(1)', undefined],
    ['data:text/html,<b>', undefined],
    ['vbscript:x', undefined],
    ['command:workbench.action.terminal.new', undefined],
    ['vscode://extension/evil', undefined],
    ['//example.com/share', undefined],
    ['#top', undefined],
    ['', undefined],
  ];
  for (const [href, target] of targets) {
    it(`${target === undefined ? 'refuses' : 'understands'} ${JSON.stringify(href)}`, () =>
      assert.deepEqual(linkTarget(href), target));
  }
  it('marks whole words of a command only', () => {
    const marks = (command: string, ...words: readonly string[]): string => {
      const parts = markedParts(command, words);
      assert.equal(parts.map(({ text }) => text).join(''), command);
      return parts.map(({ text, isMarked }) => (isMarked ? `<${text}>` : text)).join('');
    };
    assert.equal(
      marks('curl https://a.b/sh/install.sh|sh && /bin/rm -rf ./rm-all rm.txt', 'sh', 'rm', '-rf', 'curl'),
      '<curl> https://a.b/sh/install.sh|<sh> && /bin/<rm> <-rf> ./rm-all rm.txt',
    );
    assert.equal(marks('\\rm "$HOME/x" >>../y', 'rm', '$HOME/x', '../y'), '\\<rm> "<$HOME/x>" >><../y>');
    assert.equal(marks('RM.exe a', 'rm'), '<RM>.exe a');
    const word = fc.constantFrom('rm', 'sh', '-rf', '/etc/a', '$HOME', 'a.sh', 'x', '|', '"', ' ', ';', '.', '-');
    fc.assert(
      fc.property(fc.array(word), fc.array(word), (command, words) => {
        marks(command.join(''), ...words);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom('rm', 'sh', '-rf', 'ls', 'x.sh')), (command) => {
        const expected = command.map((one) => (['rm', 'sh', '-rf'].includes(one) ? `<${one}>` : one)).join(' ');
        assert.equal(marks(command.join(' '), 'rm', 'sh', '-rf'), expected);
      }),
    );
  });
});
