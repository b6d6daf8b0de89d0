import { useState } from 'preact/hooks';
import { modeTexts } from '../../agent/view/permissionModes';
import type { AgentState } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { Dropdown } from '../controls/menu/Dropdown';
import { MenuChoice } from '../controls/menu/MenuChoice';

type Mode = AgentState['mode'];

/** The choice of what the agent may do without asking. */
export function ModePicker({ mode }: { readonly mode: Mode }) {
  const store = useStore();
  const [isOpen, setIsOpen] = useState(false);
  const { label } = modeTexts[mode];
  return (
    <Dropdown
      name="Mode"
      value={label}
      label={label}
      className="mode-picker"
      isOpen={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
    >
      {(choose) =>
        (Object.keys(modeTexts) as Mode[]).map((other) => (
          <MenuChoice
            key={other}
            title={modeTexts[other].detail}
            isChosen={other === mode}
            onChoose={() => choose(() => store.post({ type: 'selectMode', mode: other }))}
          >
            <span class="menu-label">
              {modeTexts[other].label}
              <span class="menu-note">{modeTexts[other].detail}</span>
            </span>
          </MenuChoice>
        ))
      }
    </Dropdown>
  );
}
