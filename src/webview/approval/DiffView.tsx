import * as l10n from '../../util/l10n';
import { VisibleText } from '../controls/VisibleText';

interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
}

interface DiffProperties {
  readonly diff: string;
  /** The name for screen readers. */
  readonly label?: string | undefined;
}

/** A unified diff. Its lines wrap. */
export function DiffView({ diff, label = l10n.t('Proposed change') }: DiffProperties) {
  return (
    <div class="code-box diff" role="group" aria-label={label} tabIndex={0}>
      {diffLines(diff).map((line, index) => (
        <div key={index} class={`diff-line diff-${line.kind}`}>
          <span class="diff-sign">{line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' '}</span>
          <span class="diff-text">
            <VisibleText text={line.text} kind="code" />
          </span>
        </div>
      ))}
    </div>
  );
}

function diffLines(diff: string): readonly DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(firstHunk, 0)).map(diffLine);
}

function diffLine(line: string): DiffLine {
  const place = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@(.*)$/.exec(line);
  if (place) return { kind: 'gap', text: l10n.t('Line {0}', place[1] ?? '') + (place[3] ?? '') };
  // Between the files of an edit of several.
  const file = /^@@ (.*) @@$/.exec(line)?.[1];
  if (file !== undefined) return { kind: 'gap', text: file };
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'added', text };
  if (line.startsWith('-')) return { kind: 'removed', text };
  if (line.startsWith('\\')) return { kind: 'gap', text: text.trim() };
  return line.startsWith(' ') || line === '' ? { kind: 'same', text } : { kind: 'gap', text: line };
}
