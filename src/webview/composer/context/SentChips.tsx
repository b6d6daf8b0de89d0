import * as l10n from '../../../util/l10n';
import type { PromptItem } from '../../../agent/view/sessionView';
import { Icon } from '../../controls/Icon';
import { VisibleText } from '../../controls/VisibleText';
import { imageDetail, imageName } from '../../images/imageWords';
import { Picture } from '../../images/Picture';
import { useSelected } from '../../state/usePanel';
import { InstructionChipView } from './InstructionChipView';

const pictureSide = 200;

/** One row of all that went with a sent message: the project's instructions, other context, images. */
export function SentChips({ item }: { readonly item: PromptItem }) {
  const off = useSelected((state) => state.instructionsOff);
  const { contextLabels, images = [], instructions = [] } = item;
  return (
    <ul class="context-labels" aria-label={l10n.t('Attached')}>
      {instructions.map((instruction) => (
        <InstructionChipView
          key={`instruction ${instruction.id}`}
          instruction={instruction}
          isOff={off.includes(instruction.id)}
          isSent
        />
      ))}
      {otherLabels(contextLabels, instructions).map((label) => (
        <li key={label} class="context-label">
          <Icon name="code" />{' '}
          <span>
            <VisibleText text={label} kind="prose" />
          </span>
        </li>
      ))}
      {images.map((image) => (
        <li key={`image ${image.hash}`} class="sent-image">
          <Picture image={image} side={pictureSide} label={`${imageName(image)}, ${imageDetail(image)}`} />
        </li>
      ))}
    </ul>
  );
}

/** The labels of instructions are the first. Earlier versions wrote all of them as one. */
function otherLabels(
  labels: readonly string[],
  instructions: NonNullable<PromptItem['instructions']>,
): readonly string[] {
  const joined = instructions.map(({ label }) => label).join(', ');
  if (instructions.length > 0 && labels[0] === joined) return labels.slice(1);
  const own = instructions.every(({ label }, index) => labels[index] === label);
  return own ? labels.slice(instructions.length) : labels;
}
