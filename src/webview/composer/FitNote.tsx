import * as l10n from '../../util/l10n';
import type { PanelState } from '../../protocol/toWebview';
import { writtenMentions } from '../../agent/view/prompt/mentionText';
import { Button } from '../controls/Button';
import { Icon } from '../controls/Icon';
import { useSelected, useStore } from '../state/usePanel';
import { estimateImageTokens } from '../../util/images/imageTokens';
import { whyNoImages } from '../images/imageWords';
import { nextInstructions } from './context/nextInstructions';
import { contextUse } from './ContextMeter';
import { promptFit } from './promptFit';

/** Says before a message is sent that it does not fit into the model's context window. Renders nothing when it fits. */
export function FitNote({ panel }: { readonly panel: PanelState }) {
  const store = useStore();
  const session = useSelected((state) => state.session);
  const draft = useSelected((state) => state.draft);
  const chips = useSelected((state) => state.contextChips);
  const instructions = useSelected((state) => state.instructions);
  const onceOff = useSelected((state) => state.onceOff);
  const use = session && contextUse(session);
  const model = panel.models.find(({ id }) => id === panel.selectedModel);
  const named = chips.length > 0 ? writtenMentions(draft) : [];
  const attached = chips.filter(({ written }) => named.includes(written));
  const told = nextInstructions({ instructions, onceOff, session }).filter(({ isOff }) => isOff !== true);
  const images = useSelected((state) => state.attached);
  const imageTokens =
    whyNoImages(panel) === undefined ? images.reduce((sum, image) => sum + estimateImageTokens(image), 0) : 0;
  const toldTokens = told.reduce((sum, { tokens }) => sum + tokens, imageTokens);
  const fit = promptFit(draft, use, use?.window ?? model?.contextWindow, { attached, toldTokens });
  return (
    <div>
      <div role="status">
        {fit !== undefined && (
          <p class="fit-note">
            <Icon name="warning" /> <span>{fit.text}</span>
          </p>
        )}
      </div>
      {fit !== undefined && fit.drop.length > 0 && (
        <p class="fit-note">
          <Button
            kind="link"
            label={fit.drop.length === 1 ? l10n.t('Remove It') : l10n.t('Remove Them')}
            onClick={() => {
              for (const { written } of fit.drop) store.removeMention(written);
            }}
          />
        </p>
      )}
    </div>
  );
}
