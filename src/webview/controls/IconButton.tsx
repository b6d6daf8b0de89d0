import type { Ref } from 'preact';
import { Icon } from './Icon';
import type { IconName } from './icons';

interface IconButtonProperties {
  readonly icon: IconName;
  /** Name and tooltip. */
  readonly label: string;
  readonly onClick: () => void;
  readonly isExpanded?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined;
  readonly className?: string | undefined;
}

export function IconButton(properties: IconButtonProperties) {
  const { icon, label, onClick, isExpanded, isDisabled = false, buttonRef, className = '' } = properties;
  return (
    <button
      type="button"
      class={`icon-button ${className}`}
      title={label}
      aria-label={label}
      aria-expanded={isExpanded}
      disabled={isDisabled}
      onClick={onClick}
      {...(buttonRef === undefined ? {} : { ref: buttonRef })}
    >
      <Icon name={icon} />
    </button>
  );
}
