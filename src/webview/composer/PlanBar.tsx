import * as l10n from '../../util/l10n';
import type { SessionView } from '../../agent/view/sessionView';
import type { PanelState } from '../../protocol/toWebview';
import { Button } from '../controls/Button';
import { Icon } from '../controls/Icon';
import { useStore } from '../state/usePanel';

interface PlanBarProperties {
  readonly session: SessionView;
  readonly panel: PanelState;
}

/** The way out of plan mode after an answer: leaves the mode and lets the agent go on. Renders nothing before that. */
export function PlanBar({ session, panel }: PlanBarProperties) {
  const store = useStore();
  const { sessionId, state, items, waiting = [], readOnly } = session;
  const last = items.at(-1);
  const isAnswered = last?.kind === 'text' && !last.isStreaming && last.cut === undefined;
  const isPossible = panel.agent.mode === 'plan' && panel.isTrusted && readOnly === undefined;
  if (!isPossible || state !== 'idle' || !isAnswered || waiting.length > 0) return null;
  return (
    <section class="question-bar" aria-label={l10n.t('Plan')}>
      <span class="question-bar-text">
        <Icon name="question" /> {l10n.t('Carry out this plan?')}
      </span>
      <Button
        label={l10n.t('Do It')}
        title={l10n.t('Changes the mode to Ask and lets the agent begin. You approve each edit and command.')}
        onClick={() => {
          store.post({ type: 'carryOutPlan', sessionId });
          store.focusComposer();
        }}
      />
    </section>
  );
}
