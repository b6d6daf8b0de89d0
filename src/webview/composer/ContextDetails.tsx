import type { ContextSections, ContextUse } from '../../agent/view/sessionView';
import { Button } from '../controls/Button';
import { formatTokens } from '../format/tokens';

const names: Readonly<Record<keyof ContextSections, string>> = {
  system: 'System prompt',
  tools: 'Tools',
  instructions: 'Instructions of the project',
  files: 'Attached files',
  conversation: 'Conversation',
  results: 'Results of tools',
};

interface ContextDetailsProperties {
  readonly use: ContextUse;
  /** Absent: the conversation cannot be compacted now. */
  readonly onCompact?: (() => void) | undefined;
}

/** What fills the context window, and what goes first when it gets full. */
export function ContextDetails({ use: { tokens, window, sections }, onCompact }: ContextDetailsProperties) {
  const rows = (Object.keys(names) as (keyof ContextSections)[]).flatMap((name) => {
    const size = sections?.[name] ?? 0;
    return size > 0 ? [{ name: names[name], size }] : [];
  });
  if (rows.length === 0) rows.push({ name: 'In use', size: tokens });
  const room = window === undefined ? undefined : Math.max(0, window - tokens);
  const whole = window ?? tokens;
  return (
    <div class="menu context-details" role="group" aria-label="Context window">
      <ul>
        {rows.map((row) => (
          <Row key={row.name} {...row} whole={whole} />
        ))}
        {room !== undefined && <Row name="Room for the answer" size={room} whole={whole} isFree />}
      </ul>
      {sections === undefined && <p class="muted">The parts are known after the next message.</p>}
      <p class="muted">
        {window === undefined
          ? 'The size of the context window is not known.'
          : 'When three quarters are in use, the model summarises the oldest messages and results. The system prompt, the tools and the newest messages stay.'}
      </p>
      {onCompact && (
        <div class="button-row">
          <Button
            label="Compact Conversation…"
            kind="secondary"
            title="Lets the model summarise the older messages now. Asks what the summary should keep above all."
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
