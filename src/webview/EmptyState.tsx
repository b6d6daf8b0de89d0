import { modeTexts } from '../agent/view/permissionModes';
import type { ContextOffer, WorkspaceCounts } from '../agent/view/prompt/contextChip';
import type { PanelState } from '../protocol/toWebview';
import { VisibleText } from './controls/VisibleText';
import { useSelected, useStore } from './state/usePanel';
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

const MAX_SUGGESTIONS = 4;

/** What there is to do comes first: errors, the code in the editor, changes. */
function suggestionsFor(counts: WorkspaceCounts, offer: ContextOffer | undefined): readonly Suggestion[] {
  const { errors, changedFiles } = counts;
  const suggestions: readonly (Suggestion | false)[] = [
    errors > 0 && { icon: 'error', text: 'Fix the errors in @problems', needsTrust: true },
    offer !== undefined && { icon: 'code', text: `Explain ${offer.written}`, needsTrust: false },
    changedFiles !== 0 && { icon: 'git-compare', text: 'Look through @changes for mistakes', needsTrust: true },
    { icon: 'bug', text: 'Run the tests and fix what fails', needsTrust: true },
    { icon: 'search', text: 'Explain what this project does and where to start reading', needsTrust: false },
  ];
  return suggestions.filter((one) => one !== false);
}

/** The view of an empty session: suggestions, or help with what is missing. */
export function EmptyState({ panel }: { readonly panel: PanelState }) {
  const store = useStore();
  const { connection } = panel;
  const isReady = connection.kind === 'connected' && panel.selectedModel !== undefined;
  const counts = useSelected((state) => state.counts);
  const offer = useSelected((state) => state.contextOffer);
  const offered = suggestionsFor(counts, offer)
    .filter((suggestion) => panel.isTrusted || !suggestion.needsTrust)
    .slice(0, MAX_SUGGESTIONS);
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
                <span>
                  <VisibleText text={text} kind="path" />
                </span>
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
