import type { PanelState } from '../../protocol/toWebview';
import { Icon } from '../controls/Icon';
import { useSelected } from '../state/usePanel';
import { contextUse } from './ContextMeter';
import { promptFit } from './promptFit';

/** Says before a message is sent that it does not fit into the model's context window. Renders nothing when it fits. */
export function FitNote({ panel }: { readonly panel: PanelState }) {
  const session = useSelected((state) => state.session);
  const draft = useSelected((state) => state.draft);
  const use = session && contextUse(session);
  const model = panel.models.find(({ id }) => id === panel.selectedModel);
  const text = promptFit(draft, use, use?.window ?? model?.contextWindow);
  return (
    <div role="status">
      {text !== undefined && (
        <p class="fit-note">
          <Icon name="warning" /> <span>{text}</span>
        </p>
      )}
    </div>
  );
}
