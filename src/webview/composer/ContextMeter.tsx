import * as l10n from '../../util/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextUse, SessionView } from '../../agent/view/sessionView';
import { formatSpeed } from '../../agent/view/promptReading';
import type { PanelState } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { ContextDetails } from '../lazyViews';
import { windowSourceText } from '../format/modelSummary';
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
  // If it differs from the model list, the server has reported it later.
  const source = window === model?.contextWindow ? model?.windowSource : undefined;
  const words = source === undefined ? l10n.t('as the server says') : windowSourceText(source);
  const speed = session.usage?.writtenPerSecond;
  const facts = [
    use.isEstimate
      ? l10n.t('The conversation has about {0} tokens, an estimate.', use.tokens)
      : l10n.t('The conversation has {0} tokens, as the server counted.', use.tokens),
    window !== undefined && l10n.t('The model holds {0}, {1}.', window, words),
    speed !== undefined && l10n.t('The newest answer came at {0}.', formatSpeed(speed)),
  ];
  const title = facts.filter((fact) => typeof fact === 'string').join(' ');
  const isNearlyFull = window !== undefined && use.tokens > window * 0.75;
  const text = window === undefined ? short : l10n.t('{0} of {1}', short, formatWindow(window));
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
          {window !== undefined && <span class="context-window"> {l10n.t('of {0}', formatWindow(window))}</span>}
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
