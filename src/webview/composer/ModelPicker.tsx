import * as l10n from '../../util/l10n';
import type { PanelState } from '../../protocol/toWebview';
import { visibleText } from '../../util/text/visibleText';
import { Dropdown } from '../controls/menu/Dropdown';
import { ModelMenu } from '../lazyViews';

interface ModelPickerProperties {
  readonly panel: PanelState;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** The model in use, with its agent or profile, and the menu to choose another. */
export function ModelPicker({ panel, isOpen, onOpen, onClose }: ModelPickerProperties) {
  const resting = restingModel(panel);
  const name = visibleText(panel.selectedModel ?? resting?.name ?? l10n.t('No model'), 'path');
  const { agent, profile } = panel.agent;
  const usedBy = agent ?? profile;
  const details = [
    name,
    ...(resting ? [resting.title] : []),
    ...(agent === undefined ? [] : [l10n.t('agent {0}', agent)]),
    ...(profile === undefined ? [] : [l10n.t('profile {0}', profile)]),
  ];
  return (
    <Dropdown
      name={l10n.t('Model')}
      value={details.join(', ')}
      label={usedBy === undefined ? shortName(name) : `${usedBy} · ${shortName(name)}`}
      detail={resting?.word}
      className="model-picker"
      isOpen={isOpen}
      onOpen={onOpen}
      onClose={onClose}
    >
      {(choose) => <ModelMenu panel={panel} choose={choose} />}
    </Dropdown>
  );
}

/** The model of this machine while it does not run. */
function restingModel({ selectedModel, connection }: PanelState) {
  if (selectedModel !== undefined || connection.kind !== 'failed' || connection.model === undefined) return undefined;
  const name = connection.model;
  return connection.isResting
    ? { name, word: l10n.t('stopped'), title: l10n.t('stopped: your next message starts it') }
    : { name, word: l10n.t('starting'), title: l10n.t('starting') };
}

/** Some servers name models by the path of their file. */
function shortName(id: string): string {
  return id.replace(/^.*[/\\]/, '').replace(/\.gguf$/i, '');
}
