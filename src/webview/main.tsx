import './translations';
import { render } from 'preact';
import type { ToWebview } from '../protocol/toWebview';
import { App } from './App';
import { acceptFiles } from './composer/context/acceptFiles';
import { preloadViews } from './lazyViews';
import { loadMarkdown } from './markdown/markdownModule';
import { PanelStore } from './state/panelStore';
import { StoreContext } from './state/usePanel';
import { connectToHost } from './state/hostLink';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
const store = new PanelStore({
  host: connectToHost(root.dataset['tab']),
  // A hidden page has no frames.
  onNextFrame: (task) => void (document.hidden ? setTimeout(task) : requestAnimationFrame(task)),
});
// VS Code delivers the extension's messages as events of this window. Nothing else can send them.
window.addEventListener('message', (event: MessageEvent<ToWebview>) => store.receive(event.data));
for (const [type, isFocused] of [
  ['focus', true],
  ['blur', false],
] as const)
  window.addEventListener(type, () => store.post({ type: 'focusChanged', isFocused }));
// What closes a chat comes from outside, or is a key with a modifier. VS Code gets such a key after this.
window.addEventListener('blur', () => store.flushUnsent());
window.addEventListener(
  'keydown',
  (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) store.flushUnsent();
  },
  true,
);
acceptFiles(window, store);
window.addEventListener('pagehide', () => store.beforeUnload());

// The host answers while the page is rendered for the first time.
store.start();
render(
  <StoreContext.Provider value={store}>
    <App />
  </StoreContext.Provider>,
  root,
);
if (document.hasFocus()) store.post({ type: 'focusChanged', isFocused: true });
requestIdleCallback(() => {
  void loadMarkdown();
  preloadViews();
});
