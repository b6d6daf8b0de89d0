import { useStore, useWebviewState } from '../state/usePanel';
import { Button } from '../controls/Button';

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
    <Button
      label={`Review All ${count} Edits`}
      kind="secondary"
      isDisabled={isAnswered}
      onClick={() => store.post({ type: 'reviewProposedEdits', sessionId })}
    />
  );
}
