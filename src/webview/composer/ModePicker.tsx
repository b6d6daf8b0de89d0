import * as l10n from '../../util/l10n';
import { useState } from 'preact/hooks';
import { modeText } from '../../agent/view/permissionModes';
import type { AgentState } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { Dropdown } from '../controls/menu/Dropdown';
import { MenuChoice } from '../controls/menu/MenuChoice';

type Mode = AgentState['mode'];

/** The choice of what the agent may do without asking. */
export function ModePicker({ mode, modes }: { readonly mode: Mode; readonly modes: readonly Mode[] }) {
  const store = useStore();
  const [isOpen, setIsOpen] = useState(false);
  const { label } = modeText(mode);
  return (
    <Dropdown
      name={l10n.t('Mode')}
      value={label}
      // The panel can be narrow.
      label={mode === 'sandbox' ? l10n.t('Sandbox') : label}
      className={mode === 'sandbox' ? 'mode-picker is-sandbox' : 'mode-picker'}
      icon={mode === 'sandbox' ? 'shield' : undefined}
      isOpen={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
    >
      {(choose) =>
        modes.map((other) => (
          <MenuChoice
            key={other}
            title={modeText(other).detail}
            isChosen={other === mode}
            onChoose={() => choose(() => store.post({ type: 'selectMode', mode: other }))}
          >
            <span class="menu-label">
              {modeText(other).label}
              <span class="menu-note">{modeText(other).detail}</span>
            </span>
          </MenuChoice>
        ))
      }
    </Dropdown>
  );
}
