import * as l10n from '../../util/l10n';
import type { SessionView, ViewItem } from '../../agent/view/sessionView';
import type { PanelState } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { ConnectionHelp, McpBanner } from '../lazyViews';
import { Icon } from '../controls/Icon';
import { SetUpBanner } from './SetUpBanner';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

interface BannersProperties {
  readonly panel: PanelState;
  readonly session: SessionView | undefined;
}

/** Before the first one, the tools of the servers are still asked for. */
const isAnswer = ({ kind }: ViewItem): boolean => kind !== 'prompt' && kind !== 'notice';

/** Messages about the whole panel: an untrusted workspace, unusable settings, a lost server. */
export function Banners({ panel, session }: BannersProperties) {
  const store = useStore();
  // An empty session shows the server's state in its middle. A failure that is the last notice is not repeated here.
  const last = session?.items.at(-1);
  const isConnectionShown =
    last !== undefined &&
    !(last.kind === 'notice' && last.notice.severity === 'error') &&
    !['unknown', 'connected', 'connecting', 'searching'].includes(panel.connection.kind);
  return (
    <>
      {!panel.isTrusted && (
        <div class="banner" role="note">
          <Icon name="shield" />
          <span>
            {l10n.t('This workspace is not trusted: Open Agent only answers questions. It changes and runs nothing.')}{' '}
            <Button
              label={l10n.t('Manage Trust')}
              kind="link"
              onClick={() => store.post({ type: 'runCommand', command: 'manageTrust' })}
            />
          </span>
        </div>
      )}
      {panel.agent.problems.length > 0 && (
        <div class="banner" role="note" aria-label={l10n.t('Settings that cannot be used')}>
          <Icon name="warning" />
          <div class="banner-text">
            {panel.agent.problems.map((problem) => (
              <p key={problem}>
                <VisibleText text={problem} kind="code" />
              </p>
            ))}
            <Button
              label={l10n.t('Open Settings')}
              kind="link"
              onClick={() => store.post({ type: 'runCommand', command: 'openSettings' })}
            />
          </div>
        </div>
      )}
      {panel.setUp && <SetUpBanner setUp={panel.setUp} />}
      {panel.mcpServers.length > 0 && (
        <McpBanner servers={panel.mcpServers} isNewSession={!session?.items.some(isAnswer)} />
      )}
      {isConnectionShown && (
        <div class="banner-help">
          <ConnectionHelp panel={panel} />
        </div>
      )}
    </>
  );
}
