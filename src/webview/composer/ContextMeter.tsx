import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextUse, SessionView } from '../../agent/view/sessionView';
import { formatSpeed } from '../../agent/view/promptReading';
import type { PanelState } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { ContextDetails } from '../lazyViews';
import { windowSources } from '../format/modelSummary';
import { formatTokens, formatWindow } from '../format/tokens';

interface ContextMeterProperties {
  readonly session: SessionView | undefined;
  readonly panel: PanelState;
}

/** How full the model's context window is, such as `≈ 5.2k of 32k`. The sign marks an estimate. A click tells the parts. */
export function ContextMeter({ session, panel }: ContextMeterProperties) {
  const store = useStore();
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && box.current?.contains(target) !== true) setIsOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  const close = (): void => {
    setIsOpen(false);
    button.current?.focus();
  };
  const use = session && contextUse(session);
  if (session === undefined || use === undefined) return null;
  const model = panel.models.find(({ id }) => id === panel.selectedModel);
  const window = use.window ?? model?.contextWindow;
  const short = `${use.isEstimate ? '≈ ' : ''}${formatTokens(use.tokens)}`;
  const count = use.isEstimate
    ? `about ${use.tokens} tokens, an estimate`
    : `${use.tokens} tokens, as the server counted`;
  // If it differs from the model list, the server has reported it later.
  const source = window === model?.contextWindow ? model?.windowSource : undefined;
  const words = source === undefined ? 'as the server says' : windowSources[source];
  const speed = session.usage?.writtenPerSecond;
  const facts = [
    `The conversation has ${count}.`,
    window !== undefined && `The model holds ${window}, ${words}.`,
    speed !== undefined && `The newest answer came at ${formatSpeed(speed)}.`,
  ];
  const title = facts.filter((fact) => typeof fact === 'string').join(' ');
  const isNearlyFull = window !== undefined && use.tokens > window * 0.75;
  const text = window === undefined ? short : `${short} of ${formatWindow(window)}`;
  return (
    <div class="dropdown context-meter" ref={box} onKeyDown={(event) => event.key === 'Escape' && isOpen && close()}>
      <button
        type="button"
        class={`dropdown-button context-use muted${isNearlyFull ? ' is-nearly-full' : ''}`}
        ref={button}
        title={title}
        aria-label={`${text}. ${title}`}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>
          {short}
          {window !== undefined && <span class="context-window"> of {formatWindow(window)}</span>}
        </span>
      </button>
      {isOpen && (
        <ContextDetails
          use={{ ...use, window }}
          onCompact={
            session.state === 'idle' && !session.readOnly
              ? () => {
                  setIsOpen(false);
                  store.post({ type: 'runCommand', command: 'compactSession' });
                }
              : undefined
          }
        />
      )}
    </div>
  );
}

/** How full the window is. After a reload only the server's count for the newest answer is known. */
export function contextUse({ context, usage }: SessionView): ContextUse | undefined {
  if (context !== undefined) return context;
  return usage && { tokens: usage.promptTokens + usage.completionTokens, isEstimate: false };
}
