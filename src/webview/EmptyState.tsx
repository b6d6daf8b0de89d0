import { modeTexts } from '../agent/view/permissionModes';
import type { PanelState } from '../protocol/toWebview';
import { useStore } from './state/usePanel';
import { ConnectionHelp } from './lazyViews';
import { Icon } from './controls/Icon';
import { Button } from './controls/Button';
import type { IconName } from './controls/icons';

interface Suggestion {
  readonly icon: IconName;
  readonly text: string;
  /** It edits or runs something, which an untrusted workspace does not allow. */
  readonly needsTrust: boolean;
}

const suggestions: readonly Suggestion[] = [
  { icon: 'search', text: 'Explain what this project does and where to start reading', needsTrust: false },
  { icon: 'bug', text: 'Run the tests and fix what fails', needsTrust: true },
  { icon: 'git-compare', text: 'Look through my uncommitted changes for mistakes', needsTrust: true },
];

/** The view of an empty session: suggestions, or help with what is missing. */
export function EmptyState({ panel }: { readonly panel: PanelState }) {
  const store = useStore();
  const { connection } = panel;
  const isReady = connection.kind === 'connected' && panel.selectedModel !== undefined;
  const offered = suggestions.filter((suggestion) => panel.isTrusted || !suggestion.needsTrust);
  return (
    <div class="empty" role="region" aria-label="Start">
      <h3>What shall we work on?</h3>
      <p class="muted">
        Open Agent reads your code, proposes edits and runs commands with a model you run yourself. Mode:{' '}
        {modeTexts[panel.agent.mode].label}. {modeTexts[panel.agent.mode].detail}
      </p>
      {!isReady && <ConnectionHelp panel={panel} />}
      {!panel.hasFolder && (
        <div class="help">
          <p class="help-title">
            <Icon name="folder" /> <span>No folder is open</span>
          </p>
          <p class="muted">There are no files to work on yet.</p>
          <div class="button-row">
            <Button
              label="Open Folder"
              kind={isReady ? 'primary' : 'secondary'}
              onClick={() => store.post({ type: 'runCommand', command: 'openFolder' })}
            />
          </div>
        </div>
      )}
      {isReady && panel.hasFolder && (
        <ul class="suggestions" aria-label="Suggestions">
          {offered.map(({ icon, text }) => (
            <li key={text}>
              <button type="button" class="suggestion" onClick={() => store.suggest(text)}>
                <Icon name={icon} />
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Button
          label="Get Started"
          kind="link"
          onClick={() => store.post({ type: 'runCommand', command: 'getStarted' })}
        />
      </p>
      {connection.kind === 'connected' && (
        <p class="muted server-line">
          <Icon name="server" />{' '}
          <span>
            {connection.serverName} at {connection.baseUrl}
            {connection.isConfigured ? '' : ', found on this machine'}
          </span>
        </p>
      )}
    </div>
  );
}
