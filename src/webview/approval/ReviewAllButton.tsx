import { useStore, useWebviewState } from '../state/usePanel';

interface ReviewAllProperties {
  readonly sessionId: string;
  readonly isAnswered: boolean;
}

/** Opens all proposed edits in one editor. Renders nothing when there is only one. */
export function ReviewAllButton({ sessionId, isAnswered }: ReviewAllProperties) {
  const store = useStore();
  const { session } = useWebviewState();
  const count = session?.items.filter((item) => item.kind === 'tool' && item.approval?.kind === 'edit').length ?? 0;
  if (count < 2) return null;
  return (
    <button
      type="button"
      class="button secondary"
      disabled={isAnswered}
      onClick={() => store.post({ type: 'reviewProposedEdits', sessionId })}
    >
      Review All {count} Edits
    </button>
  );
}
