import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { PanelStore } from './panelStore';
import type { WebviewState } from './webviewState';

export const StoreContext = createContext<PanelStore | undefined>(undefined);

/** The page's store. */
export function useStore(): PanelStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('This component is outside of StoreContext.');
  return store;
}

/** The page's state. The component renders again after every change. */
export function useWebviewState(): WebviewState {
  return useSelected((state) => state);
}

/** A part of the page's state. The component renders again only when this part changes. */
export function useSelected<Part>(select: (state: WebviewState) => Part): Part {
  const store = useStore();
  const [part, setPart] = useState(() => select(store.state));
  useLayoutEffect(() => {
    const update = (): void => setPart(() => select(store.state));
    update();
    return store.subscribe(update);
  }, [store]);
  return part;
}
