import type { PanelStore } from '../../state/panelStore';

/** As the host takes them. */
const maxUris = 200;
const maxBytes = 200_000;
const maxFiles = 5;

/** VS Code's explorer, tabs and search write some of these; other programs write the second. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Takes files, folders and tabs that are dropped on the page, and files that are pasted, as context of the prompt. */
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
  for (const end of ['dragleave', 'drop', 'dragend'] as const)
    page.addEventListener(end, () => document.body.classList.remove('is-drop-target'));
  page.addEventListener('drop', (event) => {
    const { dataTransfer } = event;
    // VS Code prevents the default of every drop before this.
    if (!dataTransfer || !canTake(dataTransfer)) return;
    const uris = urisIn(dataTransfer);
    const files = textFiles(dataTransfer);
    if (uris.length === 0 && files.length === 0) return;
    event.preventDefault();
    if (uris.length > 0) store.post({ type: 'addUris', uris: uris.slice(0, maxUris) });
    else void addFiles(files, store);
  });
  page.addEventListener('paste', (event) => {
    const files = event.clipboardData ? textFiles(event.clipboardData) : [];
    // Programs also copy a picture or a file name of what they copy as text.
    if (files.length === 0 || event.defaultPrevented || event.clipboardData?.types.includes('text/plain')) return;
    event.preventDefault();
    void addFiles(files, store);
  });
}

function canTake({ types }: DataTransfer): boolean {
  return types.includes('Files') || uriTypes.some((type) => types.includes(type));
}

/** The addresses, without the comments of the format. */
function urisIn(transfer: DataTransfer): readonly string[] {
  for (const type of uriTypes) {
    const lines = transfer.getData(type).split(/\r?\n/);
    const uris = lines.filter((line) => line !== '' && !line.startsWith('#') && line.length <= 4096);
    if (uris.length > 0) return uris;
  }
  return [];
}

/** Pictures are not text. */
function textFiles({ files }: DataTransfer): readonly File[] {
  return [...files].filter(({ type }) => !type.startsWith('image/'));
}

async function addFiles(files: readonly File[], store: PanelStore): Promise<void> {
  const left: string[] = [];
  for (const [index, file] of files.entries()) {
    const text = index < maxFiles && file.size <= maxBytes ? await textOf(file) : undefined;
    if (text === undefined) left.push(file.name);
    else store.post({ type: 'addPasted', name: file.name === '' ? 'file' : file.name.slice(0, 300), text });
  }
  if (left.length > 0)
    store.say(
      `Not added: ${left.slice(0, 3).join(', ')}. Up to ${maxFiles} text files of 200 kB can be added at once.`,
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
