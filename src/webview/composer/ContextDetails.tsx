import * as l10n from '../../util/l10n';
import type { ContextSections, ContextUse } from '../../agent/view/sessionView';
import { Button } from '../controls/Button';
import { formatTokens } from '../format/tokens';

const names = (): Readonly<Record<keyof ContextSections, string>> => ({
  system: l10n.t('System prompt'),
  tools: l10n.t('Tools'),
  instructions: l10n.t('Instructions of the project'),
  files: l10n.t('Attached files'),
  conversation: l10n.t('Conversation'),
  results: l10n.t('Results of tools'),
});

interface ContextDetailsProperties {
  readonly use: ContextUse;
  /** Absent: the conversation cannot be compacted now. */
  readonly onCompact?: (() => void) | undefined;
}

/** What fills the context window, and what goes first when it gets full. */
export function ContextDetails({ use: { tokens, window, sections }, onCompact }: ContextDetailsProperties) {
  const rows = Object.entries(names()).flatMap(([section, name]) => {
    const size = sections?.[section as keyof ContextSections] ?? 0;
    return size > 0 ? [{ name, size }] : [];
  });
  if (rows.length === 0) rows.push({ name: l10n.t('In use'), size: tokens });
  const room = window === undefined ? undefined : Math.max(0, window - tokens);
  const whole = window ?? tokens;
  return (
    <div class="menu context-details" role="group" aria-label={l10n.t('Context window')}>
      <ul>
        {rows.map((row) => (
          <Row key={row.name} {...row} whole={whole} />
        ))}
        {room !== undefined && <Row name={l10n.t('Room for the answer')} size={room} whole={whole} isFree />}
      </ul>
      {sections === undefined && <p class="muted">{l10n.t('The parts are known after the next message.')}</p>}
      <p class="muted">
        {window === undefined
          ? l10n.t('The size of the context window is not known.')
          : l10n.t(
              'When three quarters are in use, the model summarises the oldest messages and results. The system prompt, the tools and the newest messages stay.',
            )}
      </p>
      {onCompact && (
        <div class="button-row">
          <Button
            label={l10n.t('Compact Conversation…')}
            kind="secondary"
            title={l10n.t(
              'Lets the model summarise the older messages now. Asks what the summary should keep above all.',
            )}
            onClick={onCompact}
          />
        </div>
      )}
    </div>
  );
}

interface RowProperties {
  readonly name: string;
  readonly size: number;
  readonly whole: number;
  readonly isFree?: boolean | undefined;
}

function Row({ name, size, whole, isFree = false }: RowProperties) {
  return (
    <li class={isFree ? 'context-row is-free' : 'context-row'}>
      <span>{name}</span>
      <span class="context-size">{formatTokens(size)}</span>
      <span class="context-bar" aria-hidden="true">
        <span class="context-filled" style={{ width: `${Math.min(100, (size / Math.max(1, whole)) * 100)}%` }} />
      </span>
    </li>
  );
}
