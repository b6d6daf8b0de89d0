import { instructionName } from './instructionName';
import * as l10n from '../../../util/l10n';
import type { SentInstruction } from '../../../agent/view/prompt/instructionSections';
import { Icon } from '../../controls/Icon';
import { VisibleText } from '../../controls/VisibleText';
import { formatTokens } from '../../format/tokens';
import { useStore } from '../../state/usePanel';

interface InstructionChipProperties {
  readonly instruction: SentInstruction;
  readonly isOff: boolean;
  /** It went with a message that is sent. */
  readonly isSent?: boolean | undefined;
}

/** Instructions of the project, with their cost. A click switches them off or on for the workspace. */
export function InstructionChipView({ instruction, isOff, isSent = false }: InstructionChipProperties) {
  const store = useStore();
  const { id, tokens } = instruction;
  const next = isSent ? l10n.t('With the next message, the server then reads the whole conversation again.') : '';
  const title = isOff
    ? l10n.t('Left out in this workspace. Click to send these instructions again.')
    : l10n.t('Instructions for the model. Click to leave them out in this workspace.');
  return (
    <li class={`chip is-instruction${isOff ? ' is-off' : ''}`}>
      <button
        type="button"
        class="chip-words"
        aria-pressed={!isOff}
        title={`${title} ${next}`.trim()}
        onClick={() => store.post({ type: 'switchInstruction', id, isOn: isOff })}
      >
        <Icon name={isOff ? 'circle-slash' : 'checklist'} />
        <span class="chip-name">
          <VisibleText text={instructionName(instruction)} kind="path" maxCharacters={60} />
        </span>{' '}
        <span class="chip-detail">{isOff ? l10n.t('left out') : l10n.t('{0} tokens', formatTokens(tokens))}</span>
      </button>
    </li>
  );
}
