import * as l10n from '../util/l10n';
import type { ComponentChildren } from 'preact';
import { Button } from './controls/Button';
import { DrawingFailure } from './controls/DrawingFailure';
import { ErrorBoundary } from './controls/ErrorBoundary';
import { useStore, useWebviewState } from './state/usePanel';

interface PartProperties {
  /** The part of the panel, as the start of a sentence. */
  readonly name: string;
  readonly subject?: unknown;
  readonly children: ComponentChildren;
}

/** A part of the panel. An error in it leaves the other parts usable. */
export function PanelPart({ name, subject, children }: PartProperties) {
  return (
    <ErrorBoundary subject={subject} fallback={(onRetry) => <FailedPart name={name} onRetry={onRetry} />}>
      {children}
    </ErrorBoundary>
  );
}

/** Stands for a part that could not be drawn. The person can still stop the run. */
export function FailedPart({ name, onRetry }: { readonly name: string; readonly onRetry: () => void }) {
  const store = useStore();
  const { session } = useWebviewState();
  return (
    <DrawingFailure
      name={name}
      onRetry={onRetry}
      buttons={
        session !== undefined &&
        session.state !== 'idle' && (
          <Button
            label={l10n.t('Stop the Agent')}
            kind="secondary"
            onClick={() => store.post({ type: 'stop', sessionId: session.sessionId })}
          />
        )
      }
    />
  );
}
