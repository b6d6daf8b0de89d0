import * as l10n from '../../util/l10n';
import type { AgentState, NamedChoice } from '../../protocol/toWebview';
import { useStore } from '../state/usePanel';
import { MenuChoice } from '../controls/menu/MenuChoice';
import { VisibleText } from '../controls/VisibleText';

interface AgentChoicesProperties {
  readonly agent: AgentState;
  readonly choose: (action: () => void) => void;
}

/** The agents and profiles of the settings, in the model menu. Renders nothing when there are none. */
export function AgentChoices({ agent: { agents, agent, profiles, profile }, choose }: AgentChoicesProperties) {
  const store = useStore();
  return (
    <>
      <ChoiceGroup
        name={l10n.t('Agent')}
        none={l10n.t('No agent')}
        choices={agents}
        chosen={agent}
        onChoose={(id) => choose(() => store.post({ type: 'selectAgent', agent: id }))}
      />
      <ChoiceGroup
        name={l10n.t('Profile')}
        none={l10n.t('No profile')}
        choices={profiles}
        chosen={profile}
        onChoose={(id) => choose(() => store.post({ type: 'selectProfile', profile: id }))}
      />
    </>
  );
}

interface ChoiceGroupProperties {
  readonly name: string;
  readonly none: string;
  readonly choices: readonly NamedChoice[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

function ChoiceGroup({ name, none, choices, chosen, onChoose }: ChoiceGroupProperties) {
  if (choices.length === 0) return null;
  return (
    <>
      <div role="group" aria-label={name}>
        <p class="menu-heading" aria-hidden="true">
          {name}
        </p>
        {choices.map(({ id, detail }) => (
          <MenuChoice
            key={id}
            title={detail === '' ? id : detail}
            isChosen={id === chosen}
            onChoose={() => onChoose(id)}
          >
            <span class="menu-label">
              <VisibleText text={id} kind="path" />
              {detail !== '' && (
                <span class="menu-note">
                  <VisibleText text={detail} kind="path" />
                </span>
              )}
            </span>
          </MenuChoice>
        ))}
        <MenuChoice title={none} isChosen={chosen === undefined} onChoose={() => onChoose('')}>
          <span class="menu-label">{none}</span>
        </MenuChoice>
      </div>
      <div class="menu-separator" role="separator" />
    </>
  );
}
