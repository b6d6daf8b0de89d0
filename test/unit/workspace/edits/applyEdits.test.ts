import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyEdits, type EditFailure } from '../../../../src/workspace/edits/applyEdits';
import { describeEditFailure } from '../../../../src/workspace/edits/describeEditFailure';

const edit = (oldText: string, newText: string): { oldText: string; newText: string } => ({ oldText, newText });

function apply(text: string, ...edits: { oldText: string; newText: string }[]): string | EditFailure {
  const result = applyEdits(text, edits);
  return result.ok ? result.text : result.failure;
}

describe('applyEdits', () => {
  it('replaces the one exact place', () => {
    assert.deepEqual(applyEdits('a\nb\nc\n', [edit('b', 'B1\nB2')]), {
      ok: true,
      text: 'a\nB1\nB2\nc\n',
      match: 'exact',
    });
  });

  it('deletes', () => {
    assert.equal(apply('a\nb\nc\n', edit('b\n', '')), 'a\nc\n');
  });

  it('joins and indents no other line when it deletes lines', () => {
    const file = 'if (a) {\n    b();\n    c();\n}\n';
    assert.equal(apply(file, edit('\n    b();\n', '')), 'if (a) {\n    c();\n}\n');
    assert.equal(apply(file, edit('    b();\n    ', '')), 'if (a) {\n    c();\n}\n');
    assert.equal(apply(file, edit('\n    b();\n    ', '')), 'if (a) {\n    c();\n}\n');
    assert.equal(apply(file.replaceAll('\n', '\r\n'), edit('\n    b();\n', '')), 'if (a) {\r\n    c();\r\n}\r\n');
  });

  it('takes a byte order mark inside a quote for a hidden character', () => {
    assert.equal(
      apply('let a = 1;\nlet b = 2;\n', edit('let\uFEFF b = 2;\n', 'let c = 3;\nlet\uFEFF b = 2;\n')),
      'let a = 1;\nlet c = 3;\nlet b = 2;\n',
    );
  });

  it('writes no second byte order mark', () => {
    const result = applyEdits('\uFEFFa\nb\n', [{ oldText: 'a\n', newText: '\uFEFFc\n' }]);
    assert.deepEqual(result, { ok: true, text: '\uFEFFc\nb\n', match: 'exact' });
  });

  it('keeps CRLF, byte order mark and a missing final newline', () => {
    assert.deepEqual(applyEdits('\uFEFFa\r\nb\r\nc', [edit('a\nb\n', 'x\ny\nz\n')]), {
      ok: true,
      text: '\uFEFFx\r\ny\r\nz\r\nc',
      match: 'line_ends',
    });
    assert.equal(apply('a\r\nb\r\nc', edit('b', 'b1\nb2')), 'a\r\nb1\r\nb2\r\nc');
    assert.equal(apply('a\r\nb\r\n', edit('\nb', '\nc\nd')), 'a\r\nc\r\nd\r\n');
    assert.equal(apply('a\r\nb\r\n', edit('a\n', '')), 'b\r\n');
  });

  it('accepts CRLF from a model for LF in the file', () => {
    assert.equal(apply('a\nb\nc\n', edit('a\r\nb', 'x\r\ny')), 'x\ny\nc\n');
  });

  it('gives inserted lines the line ends of their neighbours in a file with mixed ones', () => {
    const text = 'a\r\nb\r\nc\nd\n';
    assert.equal(apply(text, edit('a\nb\n', 'a\nnew\nb\n')), 'a\r\nnew\r\nb\r\nc\nd\n');
    assert.equal(apply(text, edit('c\nd\n', 'c\nnew\nd\n')), 'a\r\nb\r\nc\nnew\nd\n');
  });

  it('accepts a final newline that the file does not have, and adds none', () => {
    assert.equal(apply('a\nlast', edit('last\n', 'end\n')), 'a\nend');
    assert.equal(apply('a\r\nlast', edit('a\nlast\n', 'a\nend')), 'a\r\nend');
    assert.equal(typeof apply('a\nbigblast', edit('last\n', 'end\n')), 'object');
  });

  it('applies all edits of a batch or none', () => {
    assert.equal(apply('a\nb\nc\n', edit('c', 'C'), edit('a', 'A')), 'A\nb\nC\n');
    assert.deepEqual(apply('a\nb\nc\n', edit('c', 'C'), edit('nothing like it', 'A')), {
      reason: 'absent',
      index: 1,
      nearest: undefined,
      isApplied: false,
    });
  });

  it('looks for each edit in the original text', () => {
    assert.equal(apply('a b', edit('a', 'b'), edit('b', 'a')), 'b a');
  });

  it('applies a batch as a sequence if it only works so', () => {
    assert.equal(apply('one\n', edit('one', 'two'), edit('two', 'three')), 'three\n');
    assert.equal(apply('abc', edit('ab', 'xy'), edit('yc', 'z')), 'xz');
  });

  it('refuses edits that overlap', () => {
    assert.deepEqual(apply('abc', edit('ab', 'x'), edit('bc', 'y')), {
      reason: 'overlapping',
      index: 1,
      otherIndex: 0,
    });
  });

  it('refuses a quote with several places, and names their lines', () => {
    assert.deepEqual(apply('x\ny\nx\n', edit('x', 'z')), { reason: 'ambiguous', index: 0, lines: [1, 3] });
    assert.deepEqual(apply('x\r\ny\r\nx\r\ny\r\n', edit('x\ny', 'z')), {
      reason: 'ambiguous',
      index: 0,
      lines: [1, 3],
    });
    assert.deepEqual(apply('aaa', edit('aa', 'b')), { reason: 'ambiguous', index: 0, lines: [1, 1] });
  });

  it('refuses an empty old text and an edit that changes nothing', () => {
    assert.deepEqual(apply('a', edit('', 'b')), { reason: 'empty_old_text', index: 0 });
    assert.deepEqual(apply('a\n', edit('a\r\n', 'a\n')), { reason: 'nothing_to_change', index: 0 });
  });

  it('shows the most similar lines for a quote that is not found', () => {
    const text = [
      'function add(a, b) {',
      '    return a + b;',
      '}',
      '',
      'function subtract(a, b) {',
      '    return a - b;',
      '}',
    ].join('\n');
    assert.deepEqual(apply(text, edit('function subtract(a, b, c) {\n  return a - b - c;\n}', 'x')), {
      reason: 'absent',
      index: 0,
      nearest: { startLine: 5, endLine: 7, text: 'function subtract(a, b) {\n    return a - b;\n}' },
      isApplied: false,
    });
    assert.deepEqual(apply(text, edit('  return a - B', 'x')), {
      reason: 'absent',
      index: 0,
      nearest: { startLine: 6, endLine: 6, text: '    return a - b;' },
      isApplied: false,
    });
  });

  it('shows at most forty lines', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `const value${index} = ${index};`);
    const failure = apply(lines.join('\n'), edit([...lines, 'const other = 1;'].join('\n'), 'x'));
    assert.ok(typeof failure === 'object' && failure.reason === 'absent');
    assert.deepEqual(failure.nearest, { startLine: 1, endLine: 40, text: lines.slice(0, 40).join('\n') });
  });

  it('notices that an edit seems to be done already', () => {
    const failure = apply('const answer = 42;\n', edit('const answer = 41;', 'const answer = 42;'));
    assert.ok(typeof failure === 'object' && failure.reason === 'absent');
    assert.equal(failure.isApplied, true);
  });

  it('keeps all other bytes, for any text', () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r\n', '\r', 'ü', 'e\u0301', '\u201C', '&lt;', '😀'),
      maxLength: 30,
    });
    const mark = fc.constantFrom('', '\uFEFF');
    fc.assert(
      fc.property(mark, piece, piece, piece, (byteOrderMark, before, after, replacement) => {
        const text = `${byteOrderMark}${before}MARK${after}`;
        const result = applyEdits(text, [edit('MARK', `x${replacement}x`)]);
        // One line behind an indentation does not always show how the new lines are indented.
        if (!result.ok) return assert.equal(result.failure.reason, 'unclear');
        assert.ok(result.text.startsWith(byteOrderMark + before));
        assert.ok(result.text.endsWith(after));
      }),
    );
  });

  it('keeps all bytes outside a misquoted block', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', 'ü', '\u201D', '😀'), maxLength: 12 });
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 6 });
    const join = (pieces: readonly (readonly [string, string])[]): string => pieces.flat().join('');
    const misquoted = fc.constantFrom(
      (quoted: string) => `${quoted}  `,
      (quoted: string) => quoted.replace(/^ {2}/, ''),
      (quoted: string) => quoted.replaceAll('"', '\u201C'),
      (quoted: string) => quoted.replaceAll('"', '&quot;'),
    );
    fc.assert(
      fc.property(lines, lines, misquoted, fc.boolean(), (before, after, misquote, isFinished) => {
        const block = ['  first("one");', '  second("two");\t', '  third("three");'];
        const [head, tail] = [join(before), join(after)];
        const end = tail === '' && !isFinished ? '' : '\r\n';
        const text = `\uFEFF${head}${block.join('\r\n')}${end}${tail}`;
        const oldText = `${block.map(misquote).join('\n')}\n`;
        const newText = `${block.with(1, '  changed("two");\t').map(misquote).join('\n')}\n`;
        assert.equal(
          apply(text, edit(oldText, newText)),
          `\uFEFF${head}${block.with(1, '  changed("two");\t').join('\r\n')}${end}${tail}`,
        );
      }),
    );
  });
});

describe('describeEditFailure', () => {
  it('says what to do next', () => {
    const nearest = { startLine: 4, endLine: 5, text: 'one\ntwo' };
    assert.deepEqual(
      [
        describeEditFailure({ reason: 'empty_old_text', index: 0 }, 'a.ts', 1),
        describeEditFailure({ reason: 'nothing_to_change', index: 1 }, 'a.ts', 2),
        describeEditFailure({ reason: 'ambiguous', index: 0, lines: [3, 9] }, 'a.ts', 1),
        describeEditFailure({ reason: 'overlapping', index: 1, otherIndex: 0 }, 'a.ts', 2),
        describeEditFailure({ reason: 'absent', index: 0, nearest, isApplied: false }, 'a.ts', 1),
        describeEditFailure({ reason: 'absent', index: 0, nearest: undefined, isApplied: false }, 'a.ts', 1),
        describeEditFailure({ reason: 'absent', index: 0, nearest, isApplied: true }, 'a.ts', 1),
        describeEditFailure({ reason: 'unclear', index: 0, nearest }, 'a.ts', 1),
        describeEditFailure({ reason: 'placeholder', index: 0, line: '// ...' }, 'a.ts', 1),
        describeEditFailure({ reason: 'added_marks', index: 0, marks: 'a code fence' }, 'a.ts', 1),
        describeEditFailure({ reason: 'read_notice', index: 0, line: '[There is more.]' }, 'a.ts', 1),
      ],
      [
        'old_text is empty. Quote the text to replace, or use write_file to write the whole file. Nothing was changed.',
        'old_text of edit 2 and its new_text are the same. Nothing was changed: none of the 2 edits was applied.',
        'old_text occurs 2 times in a.ts, at lines 3, 9. Quote more lines around it so that it is unique. Nothing was changed.',
        'Edits 1 and 2 change the same lines of a.ts. Make them one edit. Nothing was changed: none of the 2 edits was applied.',
        'old_text is not in a.ts. Nothing was changed. Most similar: lines 4-5:\n4| one\n5| two\nQuote the file exactly, with indentation and without the numbers.',
        'old_text is not in a.ts, and nothing is similar. Read the file and quote it exactly. Nothing was changed.',
        'old_text is not in a.ts, but its new_text is. The edit seems to be done already. Nothing was changed.',
        'old_text differs from a.ts, so the meant new_text is unclear. Nothing was changed. Quote lines 4-5 exactly:\n4| one\n5| two',
        '"// ..." stands for code that would be lost. Write new_text in full, or edit smaller parts. Nothing was changed.',
        'new_text has a code fence, and old_text has not. Write new_text without. If it belongs in a.ts, make it an edit of its own, or quote the line before it in both texts. Nothing was changed.',
        '"[There is more.]" is a note of read_file, not part of a.ts. Leave it out. Nothing was changed.',
      ],
    );
  });
});
