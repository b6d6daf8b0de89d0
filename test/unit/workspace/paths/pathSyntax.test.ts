import assert from 'node:assert/strict';
import { findPathProblem, findPlatformProblem, isSystemPath } from '../../../../src/workspace/paths/pathSyntax';

describe('the spelling of a path', () => {
  const onWindows = (input: string): string | undefined =>
    findPathProblem(input) ?? findPlatformProblem(input, 'win32');

  it('is refused if it cannot be a path in a workspace', () => {
    for (const [input, problem] of [
      ['', /empty/],
      ['  ', /empty/],
      ['a\0.txt', /control characters/],
      ['a\nb', /control characters/],
      ['~/.ssh/id_rsa', /not expanded/],
      ['~', /not expanded/],
      ['~root/x', /not expanded/],
      ['file:///etc/passwd', /is a URI/],
      ['file:/etc/passwd', /is a URI/],
      ['https://example.com/a', /is a URI/],
      ['vscode-remote://ssh/a', /is a URI/],
      ['x'.repeat(5000), /5000 characters/],
    ] as const) {
      assert.match(findPathProblem(input) ?? 'no problem', problem, input);
    }
  });

  it('is accepted if it is only unusual', () => {
    for (const input of [
      'a b.txt',
      '~$draft.docx',
      'a~',
      'note: this.md',
      'con',
      'a:b',
      'ünï/日本.ts',
      '..',
      '/etc',
      'a\\b',
    ]) {
      assert.equal(findPathProblem(input), undefined, input);
    }
  });

  it('is refused on Windows if Windows reads it differently', () => {
    for (const [input, problem] of [
      ['\\\\evil\\share\\x', /network or device/],
      ['//evil/share/x', /network or device/],
      ['\\\\localhost\\c$\\w\\.git\\config', /network or device/],
      ['\\\\?\\C:\\w\\a', /network or device/],
      ['\\\\.\\PhysicalDrive0', /network or device/],
      ['\\x.txt', /no drive/],
      ['/x.txt', /no drive/],
      ['C:x.txt', /current folder/],
      ['C:\\w\\a.txt:evil', /alternate stream/],
      ['a.txt::$DATA', /alternate stream/],
      ['src\\CON', /device name/],
      ['src/nul.txt', /device name/],
      ['COM1', /device name/],
      ['lpt¹.log', /device name/],
      ['CONIN$', /device name/],
      ['.git.\\config', /dot or a space/],
      ['.git \\config', /dot or a space/],
      ['a?.txt', /not allow/],
    ] as const) {
      assert.match(onWindows(input) ?? 'no problem', problem, input);
    }
  });

  it('is accepted on Windows with either slash', () => {
    for (const input of [
      'C:\\w\\a.txt',
      'c:/w/a.txt',
      'src\\a.ts',
      'src/a.ts',
      '..\\a',
      '.\\a',
      'console.ts',
      'com10.txt',
    ]) {
      assert.equal(onWindows(input), undefined, input);
    }
  });

  it('shows whether it belongs to the kernel', () => {
    assert.deepEqual(['/proc/self/root', '/dev', '/sys/x', '/process', '/home/dev'].map(isSystemPath), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
