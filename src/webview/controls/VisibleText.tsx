import { visibleSegments, type TextSegment, type VisibleTextKind } from '../../util/text/visibleText';

interface VisibleTextProperties {
  readonly text: string;
  readonly kind: VisibleTextKind;
  /** Cuts the shown text after this many characters. */
  readonly maxCharacters?: number | undefined;
}

/** Longer texts are no names of files, and each break is an element. */
const MAX_PATH = 400;

/** A text that shows hidden characters by name. Lines of a path end after a slash where they can. */
export function VisibleText({ text, kind, maxCharacters }: VisibleTextProperties) {
  const segments = visibleSegments(text, kind);
  const isPath = kind === 'path' && text.length <= MAX_PATH;
  return (
    <>
      {(maxCharacters === undefined ? segments : cut(segments, maxCharacters)).map((segment, index) =>
        segment.isHidden ? (
          <span key={index} class="hidden-character">
            {segment.text}
          </span>
        ) : (
          <>{isPath ? withBreaks(segment.text) : segment.text}</>
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
