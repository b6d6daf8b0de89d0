import * as l10n from '../../../util/l10n';
import { visibleText } from '../../../util/text/visibleText';
import type { ModelSummary } from '../server/connectionState';

/** Why images are not sent to the model in use. `undefined`: they are sent. */
export function whyNoImages(models: readonly ModelSummary[], selected: string | undefined): string | undefined {
  if (selected === undefined) return l10n.t('Images are not sent: no model is selected.');
  const model = models.find(({ id }) => id === selected);
  if (model?.hasVision === true) return undefined;
  const name = visibleText(selected, 'path');
  return model?.hasVision === false
    ? l10n.t('Images are not sent: {0} takes none.', name)
    : l10n.t(
        'Images are not sent: the server does not say whether {0} takes them. Set "images" to true for it in the setting "openAgent.modelOptions" if it does.',
        name,
      );
}
