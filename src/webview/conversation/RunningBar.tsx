import * as l10n from '../../util/l10n';
import { useId, useState } from 'preact/hooks';
import type { RunningCommand } from '../../protocol/toWebview';
import { visibleText } from '../../util/text/visibleText';
import { formatSeconds } from '../../agent/view/duration';
import { useNow } from '../state/useNow';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';

const maxCharacters = 160;

interface RunningBarProperties {
  readonly commands: readonly RunningCommand[];
  readonly clockOffsetMs: number;
}

/** The background commands of all sessions. */
export function RunningBar({ commands, clockOffsetMs }: RunningBarProperties) {
  const [isOpen, setIsOpen] = useState(true);
  const now = useNow(isOpen && commands.length > 0);
  const id = useId();
  if (commands.length === 0) return null;
  return (
    <section class="running" aria-label={l10n.t('Running commands')}>
      <button
        type="button"
        class="running-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        {commands.length === 1
          ? l10n.t('1 command runs in the background')
          : l10n.t('{0} commands run in the background', commands.length)}
      </button>
      <ul id={id} class="running-list" hidden={!isOpen}>
        {commands.map((command) => (
          <RunningRow key={command.id} command={command} elapsedMs={now - clockOffsetMs - command.startedMs} />
        ))}
      </ul>
    </section>
  );
}

function RunningRow({ command, elapsedMs }: { readonly command: RunningCommand; readonly elapsedMs: number }) {
  const store = useStore();
  const [isStopping, setIsStopping] = useState(false);
  const name = visibleText(command.command.split('\n')[0] ?? '', 'command').slice(0, maxCharacters);
  return (
    <li class="running-row">
      <div class="running-text">
        <span class="running-command" title={visibleText(command.command, 'command')}>
          <VisibleText text={command.command} kind="command" maxCharacters={maxCharacters} />
        </span>
        {command.lastLine !== '' && (
          <span class="running-line muted" title={visibleText(command.lastLine, 'path')}>
            <VisibleText text={command.lastLine} kind="path" />
          </span>
        )}
      </div>
      <span class="muted elapsed">{formatSeconds(Math.max(0, elapsedMs))}</span>
      <IconButton
        icon="output"
        label={l10n.t('Show output: {0}', name)}
        onClick={() => store.post({ type: 'showCommandOutput', id: command.id })}
      />
      <IconButton
        icon="debug-stop"
        label={isStopping ? l10n.t('Stopping: {0}', name) : l10n.t('Stop: {0}', name)}
        isDisabled={isStopping}
        onClick={() => {
          setIsStopping(true);
          store.post({ type: 'stopCommand', id: command.id });
        }}
      />
    </li>
  );
}
