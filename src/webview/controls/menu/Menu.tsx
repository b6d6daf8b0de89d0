import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moveFocus } from '../moveFocus';

interface MenuProperties {
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The items of an open menu. The first one, or the chosen one, gets the focus. */
export function Menu({ name, onClose, children }: MenuProperties) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const items = menu.current;
    const start = items?.querySelector<HTMLElement>('[aria-checked="true"]') ?? items?.querySelector('button');
    start?.focus();
  }, []);
  return (
    <div
      class="menu"
      role="menu"
      aria-label={name}
      ref={menu}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault();
          event.stopPropagation();
          onClose();
        } else if (moveFocus(event.key, menu.current, 'button')) event.preventDefault();
      }}
    >
      {children}
    </div>
  );
}
