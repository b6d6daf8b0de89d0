import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { IconButton } from '../IconButton';
import { Menu } from './Menu';

export interface MoreAction {
  readonly label: string;
  /** What it does, if the label does not say it. */
  readonly note?: string | undefined;
  readonly run: () => void;
}

interface MoreMenuProperties {
  /** The name of button and menu. */
  readonly name: string;
  readonly actions: readonly MoreAction[];
  readonly isDisabled?: boolean | undefined;
}

/** A chevron that opens the less usual actions below it. Renders nothing without actions. */
export function MoreMenu({ name, actions, isDisabled = false }: MoreMenuProperties) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    box.current?.scrollIntoView({ block: 'nearest' });
    const onPointerDown = ({ target }: PointerEvent): void => {
      const isOurs = target instanceof Node && (box.current?.contains(target) || button.current?.contains(target));
      if (!isOurs) setIsOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  if (actions.length === 0) return null;
  return (
    <>
      <IconButton
        icon="chevron-down"
        label={name}
        buttonRef={button}
        className="more-button"
        isExpanded={isOpen}
        isDisabled={isDisabled}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <div class="more-menu" ref={box} id={id}>
          <Menu
            name={name}
            onClose={() => {
              setIsOpen(false);
              button.current?.focus();
            }}
          >
            {actions.map(({ label, note, run }) => (
              <button
                key={label}
                type="button"
                class="menu-item"
                role="menuitem"
                tabIndex={-1}
                onClick={() => {
                  setIsOpen(false);
                  button.current?.focus();
                  run();
                }}
              >
                <span class="menu-label">
                  {label}
                  {note !== undefined && <span class="menu-note muted">{note}</span>}
                </span>
              </button>
            ))}
          </Menu>
        </div>
      )}
    </>
  );
}
