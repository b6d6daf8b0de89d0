import { visibleSegments, type VisibleTextKind } from '../../util/visibleText';

/** A text in which characters that would not be seen are shown by name. */
export function VisibleText({ text, kind }: { readonly text: string; readonly kind: VisibleTextKind }) {
  return (
    <>
      {visibleSegments(text, kind).map((segment, index) =>
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
