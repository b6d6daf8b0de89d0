import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/conversation.css';
import './styles/running.css';
import './styles/tools.css';
import './styles/markdown.css';
import './styles/doctor.css';
import { render } from 'preact';
import type { ToWebview } from '../protocol/messages';
import { App } from './components/App';
import { loadMarkdown } from './markdown/markdownModule';
import { PanelStore } from './state/panelStore';
import { StoreContext } from './state/usePanel';
import { connectToHost } from './vscodeApi';

const store = new PanelStore({
  host: connectToHost(),
  // A hidden page has no frames.
  onNextFrame: (task) => void (document.hidden ? setTimeout(task) : requestAnimationFrame(task)),
});
// VS Code delivers what the extension posts as message events of this window; nothing else can reach it.
window.addEventListener('message', (event: MessageEvent<ToWebview>) => store.receive(event.data));
window.addEventListener('pagehide', () => store.beforeUnload());

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
render(
  <StoreContext.Provider value={store}>
    <App />
  </StoreContext.Provider>,
  root,
);
store.start();
requestIdleCallback(() => void loadMarkdown());
