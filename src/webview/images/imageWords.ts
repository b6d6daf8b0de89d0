import * as l10n from '../../util/l10n';
import type { PanelState } from '../../protocol/toWebview';
import { whyNoImages as whyNot } from '../../agent/view/prompt/imageSupport';
import type { ShownImage } from '../../agent/view/sessionView';
import { estimateImageTokens } from '../../util/images/imageTokens';
import { visibleText } from '../../util/text/visibleText';
import { formatTokens } from '../format/tokens';

/** `1280 × 800, about 1.3k tokens`. */
export function imageDetail(image: ShownImage): string {
  const { width, height } = image;
  return l10n.t('{0} × {1}, about {2} tokens', width, height, formatTokens(estimateImageTokens(image)));
}

export function imageName({ name = 'image' }: ShownImage): string {
  return visibleText(name, 'path');
}

/** Why images are not sent to the model in use. `undefined`: they are sent. */
export function whyNoImages({ models, selectedModel }: PanelState): string | undefined {
  return whyNot(models, selectedModel);
}
