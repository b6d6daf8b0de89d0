import * as l10n from '../util/l10n';
import { modeText } from '../agent/view/permissionModes';
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
    errors > 0 && { icon: 'error', text: l10n.t('Fix the errors in @problems'), needsTrust: true },
    offer !== undefined && { icon: 'code', text: l10n.t('Explain {0}', offer.written), needsTrust: false },
    changedFiles !== 0 && { icon: 'git-compare', text: l10n.t('Look through @changes for mistakes'), needsTrust: true },
    { icon: 'bug', text: l10n.t('Run the tests and fix what fails'), needsTrust: true },
    { icon: 'search', text: l10n.t('Explain what this project does and where to start reading'), needsTrust: false },
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
    <div class="empty" role="region" aria-label={l10n.t('Start')}>
      <h3>{l10n.t('What shall we work on?')}</h3>
      <p class="muted">
        {l10n.t(
          'Open Agent reads your code, proposes edits and runs commands with a model you run yourself. Mode: {0}. {1}',
          modeText(panel.agent.mode).label,
          modeText(panel.agent.mode).detail,
        )}
      </p>
      {!isReady && <ConnectionHelp panel={panel} />}
      {!panel.hasFolder && (
        <div class="help">
          <p class="help-title">
            <Icon name="folder" /> <span>{l10n.t('No folder is open')}</span>
          </p>
          <p class="muted">{l10n.t('There are no files to work on yet.')}</p>
          <div class="button-row">
            <Button
              label={l10n.t('Open Folder')}
              kind={isReady ? 'primary' : 'secondary'}
              onClick={() => store.post({ type: 'runCommand', command: 'openFolder' })}
            />
          </div>
        </div>
      )}
      {isReady && panel.hasFolder && (
        <ul class="suggestions" aria-label={l10n.t('Suggestions')}>
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
          label={l10n.t('Get Started')}
          kind="link"
          onClick={() => store.post({ type: 'runCommand', command: 'getStarted' })}
        />
      </p>
      {connection.kind === 'connected' && (
        <p class="muted server-line">
          <Icon name="server" />{' '}
          <span>
            {connection.isConfigured
              ? l10n.t('{0} at {1}', connection.serverName, connection.baseUrl)
              : l10n.t('{0} at {1}, found on this machine', connection.serverName, connection.baseUrl)}
          </span>
        </p>
      )}
    </div>
  );
}
