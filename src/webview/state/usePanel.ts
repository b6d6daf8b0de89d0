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
  const store = useStore();
  const [state, setState] = useState(store.state);
  useLayoutEffect(() => {
    setState(store.state);
    return store.subscribe(() => setState(store.state));
  }, [store]);
  return state;
}
