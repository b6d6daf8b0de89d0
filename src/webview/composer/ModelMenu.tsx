import * as l10n from '../../util/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FromWebview } from '../../protocol/fromWebview';
import type { ConnectionState, ModelSummary } from '../../agent/view/server/connectionState';
import type { PanelState } from '../../protocol/toWebview';
import { gradeWord } from '../../agent/view/server/examGrade';
import { visibleText } from '../../util/text/visibleText';
import { describeModel, windowLabel } from '../format/modelSummary';
import { useStore } from '../state/usePanel';
import { AgentChoices } from './AgentChoices';
import { Icon } from '../controls/Icon';
import { focusChoice } from '../controls/menu/Menu';
import { MenuChoice } from '../controls/menu/MenuChoice';
import { VisibleText } from '../controls/VisibleText';
import type { IconName } from '../controls/icons';

interface ModelMenuProperties {
  readonly panel: PanelState;
  readonly choose: (action: () => void) => void;
}

/** The choice of models, agents and profiles, and the actions on the model in use. */
export function ModelMenu({ panel, choose }: ModelMenuProperties) {
  const store = useStore();
  const send = (intent: FromWebview): void => choose(() => store.post(intent));
  const hasChoices = panel.agent.agents.length > 0 || panel.agent.profiles.length > 0;
  const selected = panel.models.find(({ id }) => id === panel.selectedModel);
  const group = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => focusChoice(group.current), []);
  return (
    <>
      <div role="group" aria-label={l10n.t('Model')} ref={group}>
        {hasChoices && (
          <p class="menu-heading" aria-hidden="true">
            {l10n.t('Model')}
          </p>
        )}
        {panel.models.map((model) => (
          <ModelChoice
            key={model.id}
            model={model}
            isChosen={model === selected}
            onChoose={() => send({ type: 'selectModel', model: model.id })}
          />
        ))}
        {panel.models.length === 0 && <p class="menu-none">{noneText(panel.connection)}</p>}
      </div>
      <div class="menu-separator" role="separator" />
      <AgentChoices agent={panel.agent} choose={choose} />
      {selected !== undefined && <SelectedModelItems panel={panel} model={selected} onSend={send} />}
      <Item icon="refresh" label={l10n.t('Ask the Server Again')} onClick={() => send({ type: 'refreshServer' })} />
      <Item
        icon="search"
        label={l10n.t('Find Running Servers…')}
        onClick={() => send({ type: 'runCommand', command: 'findServers' })}
      />
      <Item
        icon="desktop-download"
        label={l10n.t('Set Up a Model on This Machine…')}
        onClick={() => send({ type: 'runCommand', command: 'setUpModel' })}
      />
      <Item
        icon="settings-gear"
        label={l10n.t('Open Settings')}
        onClick={() => send({ type: 'runCommand', command: 'openSettings' })}
      />
    </>
  );
}

/** Why there is no model to choose. */
function noneText(connection: ConnectionState): string {
  switch (connection.kind) {
    case 'connected':
    case 'no_models':
      return l10n.t('The server lists no models.');
    case 'unknown':
    case 'searching':
    case 'connecting':
      return l10n.t('Looking for a model server…');
    case 'not_found':
      return l10n.t('No model server was found.');
    case 'failed':
      if (connection.isResting)
        return connection.model === undefined
          ? l10n.t('The model does not run. Your next message starts it.')
          : l10n.t('{0} is stopped. Your next message starts it.', visibleText(connection.model, 'path'));
      return connection.isLoading ? l10n.t('The server is loading its model.') : l10n.t('The server is not available.');
  }
}

interface ModelChoiceProperties {
  readonly model: ModelSummary;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ModelChoice({ model, isChosen, onChoose }: ModelChoiceProperties) {
  const window = windowLabel(model);
  const words = describeModel(model);
  return (
    <MenuChoice title={words} label={words} isChosen={isChosen} onChoose={onChoose}>
      <span class="menu-label">
        <VisibleText text={model.id} kind="path" />
      </span>
      {model.exam !== undefined && <span class="menu-detail">{gradeWord(model.exam.grade)}</span>}
      {model.hasTools === false && <span class="menu-detail muted">{l10n.t('no tools')}</span>}
      {model.hasVision === true && (
        <span class="menu-detail">
          <Icon name="eye" />
        </span>
      )}
      {window !== undefined && <span class="menu-detail">{window}</span>}
      {model.isLoaded !== undefined && (
        <span class={`menu-detail loaded-dot${model.isLoaded ? ' is-loaded' : ''}`} aria-hidden="true" />
      )}
    </MenuChoice>
  );
}

interface SelectedModelProperties {
  readonly panel: PanelState;
  readonly model: ModelSummary;
  readonly onSend: (intent: FromWebview) => void;
}

function SelectedModelItems({ panel, model, onSend }: SelectedModelProperties) {
  const { connection } = panel;
  const canLoad = connection.kind === 'connected' && connection.canLoad === true && model.isLoaded !== undefined;
  const isLoaded = model.isLoaded === true;
  return (
    <>
      {canLoad && (
        <Item
          icon={isLoaded ? 'debug-disconnect' : 'debug-start'}
          label={isLoaded ? l10n.t('Unload the Model from Memory') : l10n.t('Load the Model into Memory')}
          onClick={() => onSend({ type: 'changeLoaded', model: model.id, isLoaded: !isLoaded })}
        />
      )}
      <Item
        icon="tools"
        label={toolCallsLabel(model.toolCalls)}
        onClick={() => onSend({ type: 'runCommand', command: 'selectToolCalls' })}
      />
      <Item
        icon="pass"
        label={l10n.t('Examine Models…')}
        onClick={() => onSend({ type: 'runCommand', command: 'examineModels' })}
      />
      {model.learned !== undefined && (
        <Item
          icon="discard"
          label={l10n.t('Forget What Was Learned: {0}', model.learned.join(', '))}
          onClick={() => onSend({ type: 'forgetQuirks' })}
        />
      )}
    </>
  );
}

function toolCallsLabel(toolCalls: ModelSummary['toolCalls']): string {
  if (toolCalls === undefined) return l10n.t('Tool Calls: automatic');
  return toolCalls === 'native' ? l10n.t('Tool Calls: native') : l10n.t('Tool Calls: as text');
}

interface ItemProperties {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}

function Item({ icon, label, onClick }: ItemProperties) {
  return (
    <button type="button" class="menu-item" role="menuitem" tabIndex={-1} onClick={onClick}>
      <Icon name={icon} />
      <span class="menu-label">{label}</span>
    </button>
  );
}
