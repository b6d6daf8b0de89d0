import { visibleSegments, type TextSegment, type VisibleTextKind } from '../../util/text/visibleText';

interface VisibleTextProperties {
  readonly text: string;
  readonly kind: VisibleTextKind;
  /** Cuts the shown text after this many characters. */
  readonly maxCharacters?: number | undefined;
}

/** A text that shows hidden characters by name. */
export function VisibleText({ text, kind, maxCharacters }: VisibleTextProperties) {
  const segments = visibleSegments(text, kind);
  return (
    <>
      {(maxCharacters === undefined ? segments : cut(segments, maxCharacters)).map((segment, index) =>
        segment.isHidden ? (
          <span key={index} class="hidden-character">
            {segment.text}
          </span>
        ) : (
          segment.text
        ),
      )}
    </>
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
