import * as l10n from '../../util/l10n';
import { useState } from 'preact/hooks';
import type { McpServerStatus } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

const maxReasonCharacters = 300;

interface McpBannerProperties {
  readonly servers: readonly McpServerStatus[];
  /** There is no answer yet: the first one takes the newest tools. */
  readonly isNewSession: boolean;
}

/** News about the MCP servers, until the person dismisses it. The conversation continues without those servers. */
export function McpBanner({ servers, isNewSession }: McpBannerProperties) {
  const store = useStore();
  const [dismissed, setDismissed] = useState('');
  const news = servers.map((server) => newsOf(server, isNewSession)).filter((line) => line !== undefined);
  const shown = news.join('\n');
  if (shown === '' || shown === dismissed) return null;
  const isWaiting = servers.some(({ state }) => state === 'starting') && news.length === 1;
  return (
    <div class="banner" role="note" aria-label={l10n.t('MCP servers')}>
      <Icon name={isWaiting ? 'sync' : 'warning'} isSpinning={isWaiting} />
      <div class="banner-text">
        {news.map((line) => (
          <p key={line}>
            <VisibleText text={line} kind="path" />
          </p>
        ))}
        <Button
          label={l10n.t('MCP Servers')}
          kind="link"
          onClick={() => store.post({ type: 'runCommand', command: 'showMcpServers' })}
        />
      </div>
      <IconButton icon="close" label={l10n.t('Dismiss MCP Server Messages')} onClick={() => setDismissed(shown)} />
    </div>
  );
}

function newsOf(
  { name, state, reason = '', hasNewTools = false }: McpServerStatus,
  isNewSession: boolean,
): string | undefined {
  if (state === 'failed') {
    const why = reason.replaceAll('\n', ' ');
    return l10n.t(
      'The MCP server {0} is not available: {1}',
      name,
      why.length > maxReasonCharacters ? `${why.slice(0, maxReasonCharacters)}…` : why,
    );
  }
  if (state === 'needs_consent') return l10n.t('The MCP server {0} is not used until you allow it.', name);
  if (state === 'starting') return l10n.t('Starting the MCP server {0}.', name);
  return hasNewTools && !isNewSession
    ? l10n.t('The tools of the MCP server {0} have changed. New sessions use them.', name)
    : undefined;
}
