import { visibleText } from '../../../util/text/visibleText';
import type { ModelSummary } from '../server/connectionState';

/** Why images are not sent to the model in use. `undefined`: they are sent. */
export function whyNoImages(models: readonly ModelSummary[], selected: string | undefined): string | undefined {
  if (selected === undefined) return 'Images are not sent: no model is selected.';
  const model = models.find(({ id }) => id === selected);
  if (model?.hasVision === true) return undefined;
  const name = visibleText(selected, 'path');
  return model?.hasVision === false
    ? `Images are not sent: ${name} takes none.`
    : `Images are not sent: the server does not say whether ${name} takes them. Set "images" to true for it in the setting "openAgent.modelOptions" if it does.`;
}
