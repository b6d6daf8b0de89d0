import * as l10n from '../../../util/l10n';
import { useEffect } from 'preact/hooks';
import type { ContextChip, ContextKind, InstructionChip } from '../../../agent/view/prompt/contextChip';
import { writtenMentions } from '../../../agent/view/prompt/mentionText';
import { MAX_MENTION_CHARACTERS, MAX_MENTIONS } from '../../../agent/view/messageLimits';
import { visibleText } from '../../../util/text/visibleText';
import type { ShownImage } from '../../../agent/view/sessionView';
import type { PanelState } from '../../../protocol/toWebview';
import { Icon } from '../../controls/Icon';
import type { IconName } from '../../controls/icons';
import { formatTokens } from '../../format/tokens';
import { imageDetail, imageName, whyNoImages } from '../../images/imageWords';
import { Picture } from '../../images/Picture';
import { useSelected, useStore } from '../../state/usePanel';
import { Chip } from './Chip';
import { InstructionChipView } from './InstructionChipView';

const icons: Readonly<Record<ContextKind, IconName>> = {
  file: 'file',
  image: 'file-media',
  folder: 'folder',
  selection: 'list-selection',
  problems: 'error',
  changes: 'git-compare',
  terminal: 'terminal',
  pasted: 'file',
};

const quietMs = 150;
const thumbnailSide = 32;

interface PromptChipsProperties {
  readonly panel: PanelState;
  /** The project's instructions that go with this message, also those that are switched off. */
  readonly instructions: readonly InstructionChip[];
}

/**
 * One row of all that goes with the prompt: the project's instructions, the context that its text names, images, and the
 * selection that the person may add.
 */
export function PromptChips({ panel, instructions }: PromptChipsProperties) {
  const store = useStore();
  const attached = useSelected((state) => state.attached);
  const known = useSelected((state) => state.contextChips);
  const draft = useSelected((state) => state.draft);
  const offer = useSelected((state) => state.contextOffer);
  const mentions = draft.includes('@') ? writtenMentions(draft) : [];
  const followed = mentions.filter(({ length }) => length <= MAX_MENTION_CHARACTERS).slice(0, MAX_MENTIONS);
  const key = followed.join('\n');
  useEffect(() => {
    if (key === '' && known.length === 0) return;
    const timer = setTimeout(() => store.post({ type: 'followMentions', mentions: followed }), quietMs);
    return () => clearTimeout(timer);
  }, [key]);
  const chips = known.filter(({ written }) => mentions.includes(written));
  const offered = offer !== undefined && !mentions.includes(offer.written) ? offer : undefined;
  if (chips.length + attached.length + instructions.length === 0 && offered === undefined) return null;
  const whyNot = attached.length > 0 ? whyNoImages(panel) : undefined;
  const note = whyNot ?? chips.find(({ nameOnly }) => nameOnly !== undefined)?.nameOnly;
  return (
    <>
      <ul class="chips" aria-label={l10n.t('Goes with the message')}>
        {instructions.map((instruction) => (
          <InstructionChipView
            key={`instruction ${instruction.id}`}
            instruction={instruction}
            isOff={instruction.isOff === true}
          />
        ))}
        {chips.map((chip) => (
          <Chip
            key={chip.written}
            icon={chip.problem === undefined ? icons[chip.kind] : 'warning'}
            name={nameOf(chip)}
            detail={detailOf(chip)}
            title={titleOf(chip)}
            isWarning={chip.problem !== undefined || chip.nameOnly !== undefined}
            onOpen={
              (chip.kind === 'file' || chip.kind === 'image') && chip.problem === undefined
                ? () => store.post(openOf(chip))
                : undefined
            }
            onRemove={() => store.removeMention(chip.written)}
          />
        ))}
        {attached.map((image) => (
          <ImageChip key={`image ${image.hash}`} image={image} whyNot={whyNot} />
        ))}
        {offered && (
          <li class="chip is-offered">
            <button
              type="button"
              class="chip-words"
              title={
                offered.isSelection
                  ? l10n.t('Add the selected lines to the message')
                  : l10n.t('Add the file in the editor to the message')
              }
              aria-label={
                offered.isSelection
                  ? l10n.t('Add the selection, {0}', offered.label)
                  : l10n.t('Add the file in the editor, {0}', offered.label)
              }
              onClick={() => store.addMention(offered.written)}
            >
              <Icon name="add" /> <span class="chip-name">{visibleText(offered.label, 'path')}</span>
            </button>
          </li>
        )}
      </ul>
      {note !== undefined && (
        <p class="images-note" role="status">
          {note}
        </p>
      )}
    </>
  );
}

interface ImageChipProperties {
  readonly image: ShownImage;
  /** Why it does not go to the model in use. */
  readonly whyNot: string | undefined;
}

function ImageChip({ image, whyNot }: ImageChipProperties) {
  const store = useStore();
  const detail = whyNot === undefined ? imageDetail(image) : l10n.t('not sent');
  return (
    <Chip
      picture={<Picture image={image} side={thumbnailSide} label={imageName(image)} />}
      name={imageName(image)}
      detail={detail}
      title={`${imageName(image)}\n${imageDetail(image)}${whyNot === undefined ? '' : `\n${whyNot}`}`}
      isWarning={whyNot !== undefined}
      onRemove={() => {
        store.post({ type: 'detachImage', hash: image.hash });
        store.focusComposer();
      }}
    />
  );
}

/** The name without its folders, which the title shows. */
function nameOf({ kind, label }: ContextChip): string {
  return kind === 'file' || kind === 'folder' ? label.slice(label.lastIndexOf('/') + 1) || label : label;
}

function detailOf({ part, tokens, isAsked, nameOnly, problem }: ContextChip): string {
  if (nameOnly !== undefined) return l10n.t('image not sent');
  if (problem !== undefined) return l10n.t('cannot be sent');
  if (isAsked === true) return l10n.t('asks first');
  return [part, tokens === undefined ? undefined : l10n.t('{0} tokens', formatTokens(tokens))]
    .filter(Boolean)
    .join(', ');
}

function titleOf(chip: ContextChip): string {
  const { label, problem, nameOnly, isAsked } = chip;
  const why = problem ?? nameOnly;
  if (why !== undefined) return `${visibleText(label, 'path')}: ${why}`;
  const more =
    isAsked === true ? l10n.t('It may hold secrets. You are asked before it is read and sent.') : detailOf(chip);
  return `${visibleText(label, 'path')}: ${more}`;
}

function openOf({ label }: ContextChip) {
  const [, path = label, line] = /^(.+?):(\d+)(?:-\d+)?$/.exec(label) ?? [];
  return { type: 'openFile', path, ...(line !== undefined && { line: Number(line) }) } as const;
}
