import * as l10n from '../../../util/l10n';
import {
  MAX_DROPPED_URIS,
  MAX_FILE_NAME,
  MAX_PASTED_CHARACTERS,
  MAX_URI_CHARACTERS,
} from '../../../agent/view/messageLimits';
import type { PanelStore } from '../../state/panelStore';

const maxFiles = 5;

/** VS Code's explorer, tabs and search write some of these; other programs write the second. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/**
 * Takes files, folders and tabs that are dropped on the page, and files that are pasted, as context of the prompt. Attaches
 * images.
 */
export function acceptFiles(page: Window, store: PanelStore): void {
  // VS Code takes files of other programs away from the page, unless somebody has handled this event before it does.
  page.addEventListener(
    'dragenter',
    (event) => {
      if (event.dataTransfer && canTake(event.dataTransfer)) event.preventDefault();
    },
    { capture: true },
  );
  page.addEventListener('dragover', (event) => {
    const { dataTransfer } = event;
    if (!dataTransfer || !canTake(dataTransfer)) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'copy';
    document.body.classList.add('is-drop-target');
  });
  page.addEventListener('dragleave', ({ relatedTarget }) => {
    // Otherwise the pointer has only left an element of the page.
    if (relatedTarget === null) document.body.classList.remove('is-drop-target');
  });
  for (const end of ['drop', 'dragend'] as const)
    page.addEventListener(end, () => document.body.classList.remove('is-drop-target'));
  page.addEventListener('drop', (event) => {
    const { dataTransfer } = event;
    // VS Code prevents the default of every drop before this.
    if (!dataTransfer || !canTake(dataTransfer)) return;
    const files = [...dataTransfer.files];
    // A picture that is dragged out of a page brings the address of the page.
    const uris = files.some(isImage) ? [] : urisIn(dataTransfer);
    if (uris.length === 0 && files.length === 0) return;
    event.preventDefault();
    if (uris.length > 0) store.post({ type: 'addUris', uris: uris.slice(0, MAX_DROPPED_URIS) });
    else takeFiles(files, store);
  });
  page.addEventListener('paste', (event) => {
    const { clipboardData } = event;
    const files = [...(clipboardData?.files ?? [])];
    if (!clipboardData || files.length === 0 || event.defaultPrevented || isCopyOfText(files, clipboardData)) return;
    event.preventDefault();
    takeFiles(files, store);
  });
}

function canTake({ types }: DataTransfer): boolean {
  return types.includes('Files') || uriTypes.some((type) => types.includes(type));
}

/** The addresses, without the comments of the format. */
function urisIn(transfer: DataTransfer): readonly string[] {
  for (const type of uriTypes) {
    const lines = transfer.getData(type).split(/\r?\n/);
    const uris = lines.filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_URI_CHARACTERS);
    if (uris.length > 0) return uris;
  }
  return [];
}

/** Programs copy text as a picture, too. A file that is copied may bring its name as a text. */
function isCopyOfText(files: readonly File[], clipboard: DataTransfer): boolean {
  const names = new Set(files.map(({ name }) => name));
  const lines = clipboard.getData('text/plain').split(/[\r\n]+/);
  return lines.some((line) => line !== '' && !names.has(line));
}

function isImage({ type }: File): boolean {
  return type.startsWith('image/');
}

function takeFiles(files: readonly File[], store: PanelStore): void {
  void store.attachImages(files.filter(isImage));
  void addTexts(
    files.filter((file) => !isImage(file)),
    store,
  );
}

async function addTexts(files: readonly File[], store: PanelStore): Promise<void> {
  const left: string[] = [];
  for (const [index, file] of files.entries()) {
    const text = index < maxFiles && file.size <= MAX_PASTED_CHARACTERS ? await textOf(file) : undefined;
    if (text === undefined) left.push(file.name);
    else store.post({ type: 'addPasted', name: file.name === '' ? 'file' : file.name.slice(0, MAX_FILE_NAME), text });
  }
  if (left.length > 0)
    store.say(
      l10n.t(
        'Not added: {0}. Up to {1} text files of 200 kB can be added at once.',
        left.slice(0, 3).join(', '),
        maxFiles,
      ),
    );
}

/** `undefined`: it is no UTF-8 text, or a folder. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? undefined : text;
  } catch {
    // A folder cannot be read, and other bytes are no text.
    return undefined;
  }
}
