import type { ComponentChildren } from 'preact';
import { Icon } from '../Icon';

interface MenuChoiceProperties {
  readonly title: string;
  /** The name for screen readers. Absent: the text of `children`. */
  readonly label?: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}

/** A menu item of a group in which one is chosen. */
export function MenuChoice({ title, label, isChosen, onChoose, children }: MenuChoiceProperties) {
  return (
    <button
      type="button"
      class="menu-item"
      role="menuitemradio"
      aria-checked={isChosen}
      aria-label={label}
      tabIndex={-1}
      title={title}
      onClick={onChoose}
    >
      <Icon name={isChosen ? 'check' : 'blank'} />
      {children}
    </button>
  );
}
