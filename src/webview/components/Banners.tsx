import type { PanelState } from '../../protocol/messages';
import { useStore } from '../state/usePanel';
import { ConnectionHelp } from './ConnectionHelp';
import { Icon } from './Icon';

interface BannersProperties {
  readonly panel: PanelState;
  /** The conversation has messages, so the state of the server is not shown in its place. */
  readonly hasMessages: boolean;
}

/** What holds for the whole panel: limited trust, a server that is gone. */
export function Banners({ panel, hasMessages }: BannersProperties) {
  const store = useStore();
  const isConnectionShown =
    hasMessages && !['unknown', 'connected', 'connecting', 'searching'].includes(panel.connection.kind);
  return (
    <>
      {!panel.isTrusted && (
        <div class="banner" role="note">
          <Icon name="shield" />
          <span>
            This workspace is not trusted: Open Agent answers questions here and changes and runs nothing.{' '}
            <button
              type="button"
              class="link-button"
              onClick={() => store.post({ type: 'runCommand', command: 'manageTrust' })}
            >
              Manage Trust
            </button>
          </span>
        </div>
      )}
      {isConnectionShown && (
        <div class="banner-help">
          <ConnectionHelp panel={panel} />
        </div>
      )}
    </>
  );
}
