import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moveFocus } from '../moveFocus';

interface MenuProperties {
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Items whose code is loaded when the menu opens call this with something inside of it. */
export function focusChoice(inside: Element | null): void {
  const menu = inside?.closest('[role="menu"]');
  const start = menu?.querySelector<HTMLElement>('[aria-checked="true"]') ?? menu?.querySelector('button');
  start?.focus();
}

/** The items of an open menu. The first one, or the chosen one, gets the focus. */
export function Menu({ name, onClose, children }: MenuProperties) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => focusChoice(menu.current), []);
  return (
    <div
      class="menu"
      role="menu"
      aria-label={name}
      ref={menu}
      onPointerMove={({ target }) => {
        // One item is marked, by pointer or keyboard, as in VS Code's menus.
        if (target instanceof Element) target.closest<HTMLElement>('button')?.focus({ preventScroll: true });
      }}
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
