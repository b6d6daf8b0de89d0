import type { PanelState } from '../../protocol/messages';
import { formatWindow } from '../format/tokens';
import { useStore } from '../state/usePanel';
import { AgentChoices } from './AgentChoices';
import { Dropdown } from './Dropdown';
import { Icon } from './Icon';
import { MenuChoice } from './MenuChoice';

interface ModelPickerProperties {
  readonly panel: PanelState;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** The model in use, with the agent or profile it is used by, and the list of what there is to choose from. */
export function ModelPicker({ panel, isOpen, onOpen, onClose }: ModelPickerProperties) {
  const name = panel.selectedModel ?? 'No model';
  const { agent, profile } = panel.agent;
  const usedBy = agent ?? profile;
  const details = [
    name,
    ...(agent === undefined ? [] : [`agent ${agent}`]),
    ...(profile === undefined ? [] : [`profile ${profile}`]),
  ];
  return (
    <Dropdown
      name="Model"
      value={details.join(', ')}
      label={usedBy === undefined ? shortName(name) : `${usedBy} · ${shortName(name)}`}
      className="model-picker"
      isOpen={isOpen}
      onOpen={onOpen}
      onClose={onClose}
    >
      {(choose) => <ModelMenu panel={panel} choose={choose} />}
    </Dropdown>
  );
}

interface ModelMenuProperties {
  readonly panel: PanelState;
  readonly choose: (action: () => void) => void;
}

function ModelMenu({ panel, choose }: ModelMenuProperties) {
  const store = useStore();
  const hasChoices = panel.agent.agents.length > 0 || panel.agent.profiles.length > 0;
  return (
    <>
      <AgentChoices agent={panel.agent} choose={choose} />
      <div role="group" aria-label="Model">
        {hasChoices && (
          <p class="menu-heading" aria-hidden="true">
            Model
          </p>
        )}
        {panel.models.map((model) => (
          <MenuChoice
            key={model.id}
            title={model.id}
            isChosen={model.id === panel.selectedModel}
            onChoose={() => choose(() => store.post({ type: 'selectModel', model: model.id }))}
          >
            <span class="menu-label">{model.id}</span>
            {model.contextWindow !== undefined && (
              <span class="menu-detail" title={`${model.contextWindow} tokens of context`}>
                {formatWindow(model.contextWindow)}
              </span>
            )}
          </MenuChoice>
        ))}
        {panel.models.length === 0 && <p class="menu-none">The server lists no models.</p>}
      </div>
      <div class="menu-separator" role="separator" />
      <button
        type="button"
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        onClick={() => choose(() => store.post({ type: 'refreshServer' }))}
      >
        <Icon name="refresh" />
        <span class="menu-label">Ask the server again</span>
      </button>
      <button
        type="button"
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        onClick={() => choose(() => store.post({ type: 'runCommand', command: 'openSettings' }))}
      >
        <Icon name="settings-gear" />
        <span class="menu-label">Settings</span>
      </button>
    </>
  );
}

/** Servers give models as paths of files, too. */
function shortName(id: string): string {
  return id.replace(/^.*[/\\]/, '').replace(/\.gguf$/i, '');
}
