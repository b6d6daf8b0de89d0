import * as l10n from '../../../util/l10n';
import type { ComponentChildren } from 'preact';
import { Icon } from '../../controls/Icon';
import { IconButton } from '../../controls/IconButton';
import { VisibleText } from '../../controls/VisibleText';
import type { IconName } from '../../controls/icons';

interface ChipProperties {
  readonly icon?: IconName | undefined;
  /** Shown in place of an icon. */
  readonly picture?: ComponentChildren;
  readonly name: string;
  /** Shown after the name, in a quiet colour. */
  readonly detail?: string | undefined;
  /** More than there is room for. */
  readonly title: string;
  readonly isWarning?: boolean | undefined;
  /** Shows what the chip stands for. */
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove: () => void;
}

const maxCharacters = 60;

/** One thing that goes with the prompt, in a list of such. */
export function Chip({ icon, picture, name, detail, title, isWarning = false, onOpen, onRemove }: ChipProperties) {
  const words = (
    <>
      <span class="chip-name">
        <VisibleText text={name} kind="path" maxCharacters={maxCharacters} />
      </span>
      {detail !== undefined && <span class="chip-detail"> {detail}</span>}
    </>
  );
  return (
    <li class={`chip${isWarning ? ' is-warning' : ''}${icon ? '' : ' image-chip'}`} title={title}>
      {icon ? <Icon name={icon} /> : picture}
      {onOpen ? (
        <button type="button" class="chip-words" onClick={onOpen}>
          {words}
        </button>
      ) : (
        <span class="chip-words">{words}</span>
      )}
      <IconButton icon="close" label={l10n.t('Remove {0}', name)} onClick={onRemove} />
    </li>
  );
}
