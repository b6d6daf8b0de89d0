import { visibleSegments, type TextSegment, type VisibleTextKind } from '../../util/text/visibleText';

interface VisibleTextProperties {
  readonly text: string;
  readonly kind: VisibleTextKind;
  /** Cuts the shown text after this many characters. */
  readonly maxCharacters?: number | undefined;
}

/** Longer texts are no names of files, and each break is an element. */
const MAX_PATH = 400;

/** Each option of a command is an element. */
const MAX_COMMAND = 4_000;

/**
 * A text that shows hidden characters by name. Lines of a path end after a slash where they can. Lines of a command do not end
 * between the hyphens of an option and its name.
 */
export function VisibleText({ text, kind, maxCharacters }: VisibleTextProperties) {
  const segments = visibleSegments(text, kind);
  const shown =
    kind === 'path' && text.length <= MAX_PATH
      ? withBreaks
      : kind === 'command' && text.length <= MAX_COMMAND
        ? withWholeOptions
        : (plain: string) => plain;
  return (
    <>
      {(maxCharacters === undefined ? segments : cut(segments, maxCharacters)).map((segment, index) =>
        segment.isHidden ? (
          <span key={index} class="hidden-character">
            {segment.text}
          </span>
        ) : (
          <>{shown(segment.text)}</>
        ),
      )}
    </>
  );
}

function withBreaks(path: string) {
  return path.split(/(?<=[^:/\\][/\\])(?![/\\])/).map((part, index) => (
    <>
      {index > 0 && <wbr />}
      {part}
    </>
  ));
}

function withWholeOptions(command: string) {
  // The odd parts are hyphens with the first character after them.
  return command.split(/(?<=^|\s)(-+[^\s-]?)/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} class="one-line">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

function cut(segments: readonly TextSegment[], maxCharacters: number): readonly TextSegment[] {
  const kept: TextSegment[] = [];
  let left = maxCharacters;
  for (const segment of segments) {
    const { text, isHidden } = segment;
    if (text.length > left) return [...kept, { text: `${isHidden ? '' : text.slice(0, left)}…`, isHidden: false }];
    kept.push(segment);
    left -= text.length;
  }
  return kept;
}
