import type { SessionView } from '../../agent/view/sessionView';
import type { PanelState } from '../../protocol/messages';
import { useStore } from '../state/usePanel';
import { ConnectionHelp } from './ConnectionHelp';
import { Icon } from './Icon';

interface BannersProperties {
  readonly panel: PanelState;
  readonly session: SessionView | undefined;
}

/** What holds for the whole panel: limited trust, a server that is gone. */
export function Banners({ panel, session }: BannersProperties) {
  const store = useStore();
  // Without messages the state of the server is in their place, and a failure that has just been told is not told twice.
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
