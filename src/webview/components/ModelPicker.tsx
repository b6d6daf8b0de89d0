import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PanelState } from '../../protocol/messages';
import { formatWindow } from '../format/tokens';
import { useStore } from '../state/usePanel';
import { Icon } from './Icon';
import { moveFocus } from './moveFocus';

interface ModelPickerProperties {
  readonly panel: PanelState;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** `hasFocus`: the focus was inside and has to go somewhere. */
  readonly onClose: () => void;
}

/** The model in use, and the list of what the server offers. */
export function ModelPicker({ panel, isOpen, onOpen, onClose }: ModelPickerProperties) {
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
  const name = panel.selectedModel ?? 'No model';
  return (
    <div class="model-picker" ref={box}>
      <button
        type="button"
        class="model-button"
        ref={button}
        title={`Model: ${name}`}
        aria-label={`Model: ${name}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={isOpen ? close : onOpen}
      >
        <span class="model-name">{shortName(name)}</span>
        <Icon name="chevron-down" />
      </button>
      {isOpen && <ModelMenu panel={panel} onClose={close} />}
    </div>
  );
}

function ModelMenu({ panel, onClose }: { readonly panel: PanelState; readonly onClose: () => void }) {
  const store = useStore();
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const items = menu.current;
    const start = items?.querySelector<HTMLElement>('[aria-checked="true"]') ?? items?.querySelector('button');
    start?.focus();
  }, []);
  const choose = (action: () => void): void => {
    action();
    onClose();
  };
  return (
    <div
      class="menu"
      role="menu"
      aria-label="Model"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault();
          event.stopPropagation();
          onClose();
        } else if (moveFocus(event.key, menu.current, 'button')) event.preventDefault();
      }}
    >
      {panel.models.map((model) => (
        <button
          key={model.id}
          type="button"
          class="menu-item"
          role="menuitemradio"
          aria-checked={model.id === panel.selectedModel}
          tabIndex={-1}
          title={model.id}
          onClick={() => choose(() => store.post({ type: 'selectModel', model: model.id }))}
        >
          <Icon name={model.id === panel.selectedModel ? 'check' : 'blank'} />
          <span class="menu-label">{model.id}</span>
          {model.contextWindow !== undefined && (
            <span class="menu-detail" title={`${model.contextWindow} tokens of context`}>
              {formatWindow(model.contextWindow)}
            </span>
          )}
        </button>
      ))}
      {panel.models.length === 0 && <p class="menu-none">The server lists no models.</p>}
      <div class="menu-separator" role="separator" />
      <button
        type="button"
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        onClick={() => choose(() => store.post({ type: 'refreshServer' }))}
      >
        <Icon name="refresh" />
        <span class="menu-label">Ask the server again</span>
      </button>
      <button
        type="button"
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        onClick={() => choose(() => store.post({ type: 'runCommand', command: 'openSettings' }))}
      >
        <Icon name="settings-gear" />
        <span class="menu-label">Settings</span>
      </button>
    </div>
  );
}

/** Servers give models as paths of files, too. */
function shortName(id: string): string {
  return id.replace(/^.*[/\\]/, '').replace(/\.gguf$/i, '');
}
