import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../Icon';
import type { IconName } from '../icons';
import { Menu } from './Menu';

interface DropdownProperties {
  /** The menu's name. With `label` it names the button, so that a spoken label finds it. */
  readonly name: string;
  /** The chosen value in full, for the button's tooltip. */
  readonly value: string;
  /** The text on the button. */
  readonly label: string;
  /** A word behind the text on the button. It stays readable where the text is cut. */
  readonly detail?: string | undefined;
  readonly className?: string | undefined;
  /** Before the text on the button. */
  readonly icon?: IconName | undefined;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** The menu's items. `choose` runs the action and closes the menu. */
  readonly children: (choose: (action: () => void) => void) => ComponentChildren;
}

/** A button that shows the chosen value and opens a menu. Works by pointer, keyboard and screen reader. */
export function Dropdown(properties: DropdownProperties) {
  const { name, value, label, detail, className = '', icon, isOpen, onOpen, onClose, children } = properties;
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const close = (): void => {
    onClose();
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true) onClose();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  return (
    <div class={`dropdown ${className}`} ref={box}>
      <button
        type="button"
        class="dropdown-button"
        ref={button}
        title={`${name}: ${value}`}
        aria-label={[`${name}: ${label}`, detail].filter(Boolean).join(' ')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={isOpen ? close : onOpen}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span class="dropdown-label">{label}</span>
        {detail !== undefined && (
          <>
            {' '}
            <span class="dropdown-detail">{detail}</span>
          </>
        )}
        <Icon name="chevron-down" />
      </button>
      {isOpen && (
        <Menu name={name} onClose={close}>
          {children((action) => {
            action();
            close();
          })}
        </Menu>
      )}
    </div>
  );
}
