import * as vscode from 'vscode';
import { delay } from '../../util/async/delay';
import { withinTime } from '../../util/async/withinTime';
import type { ChangedCode, CodeNavigation, CodePosition, CodeRename, CodeSymbol } from '../../workspace/codeNavigation';
import { codeEndings } from './codeEndings';
import { pathOf, uriOf } from '../workspace/uris';

/** A server that loads a big project answers late. */
const ANSWER_MS = 20_000;
/** How long prompts wait for a server that starts, from the first time that one was looked for. */
const READY_MS = 3_000;
const RETRY_MS = 200;
const TRIED_FILES = 3;

/** What VS Code's language extensions know. */
export function createVscodeCodeNavigation(): CodeNavigation {
  let isReady = false;
  let looking: Promise<void> | undefined;
  let firstLook: Promise<unknown> | undefined;
  const look = async (): Promise<void> => {
    try {
      isReady ||= await answers();
    } catch {
      // An extension failed; a later prompt looks again.
    } finally {
      looking = undefined;
    }
  };
  return {
    async isReady() {
      if (isReady) return true;
      looking ??= look();
      firstLook ??= withinTime(looking, READY_MS);
      await firstLook;
      return isReady;
    },
    async load(paths, { signal }) {
      await inTime(Promise.all(paths.map((path) => open(uriOf(path)))), signal);
    },
    async findSymbols(name, { signal }) {
      const command = 'vscode.executeWorkspaceSymbolProvider';
      const found = await ask<readonly vscode.SymbolInformation[]>(command, signal, name);
      return (found ?? []).flatMap((symbol) => symbolOf(symbol) ?? []);
    },
    async symbolsOf(path, { signal }) {
      const uri = uriOf(path);
      await inTime(open(uri), signal);
      const found = await ask<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(SYMBOLS, signal, uri);
      return (found ?? []).flatMap((symbol) => ('children' in symbol ? flat(symbol, path) : (symbolOf(symbol) ?? [])));
    },
    async related(relation, position, { signal }) {
      const uri = uriOf(position.path);
      await inTime(open(uri), signal);
      if (relation === 'callers') return callersOf(uri, placeOf(position), signal);
      if (relation === 'supertypes' || relation === 'subtypes')
        return typesOf(relation, uri, placeOf(position), signal);
      const found = await ask<readonly (vscode.Location | vscode.LocationLink)[]>(
        COMMANDS[relation],
        signal,
        uri,
        placeOf(position),
      );
      return (found ?? []).flatMap((location) =>
        'targetUri' in location
          ? (positionOf(location.targetUri, location.targetSelectionRange ?? location.targetRange) ?? [])
          : (positionOf(location.uri, location.range) ?? []),
      );
    },
    async hover(position, { signal }) {
      const uri = uriOf(position.path);
      await inTime(open(uri), signal);
      const hovers = await ask<readonly vscode.Hover[]>('vscode.executeHoverProvider', signal, uri, placeOf(position));
      const contents = (hovers ?? []).flatMap((hover) => hover.contents);
      const texts = contents.map((content) => (typeof content === 'string' ? content : content.value));
      // TypeScript says so until it has read the whole project.
      return texts.join('\n\n').replaceAll('(loading...) ', '');
    },
    async rename(position, newName, { signal }) {
      const uri = uriOf(position.path);
      await inTime(open(uri), signal);
      return renameAt(uri, placeOf(position), newName, signal);
    },
  };
}

const SYMBOLS = 'vscode.executeDocumentSymbolProvider';
const COMMANDS = {
  definition: 'vscode.executeDefinitionProvider',
  references: 'vscode.executeReferenceProvider',
  implementations: 'vscode.executeImplementationProvider',
} as const;

/** Whether something knows symbols of a code file, an open one if there is one. Retries while extensions start. */
async function answers(): Promise<boolean> {
  const isCode = ({ uri }: vscode.TextDocument): boolean =>
    codeEndings.some((ending) => uri.path.endsWith(`.${ending}`)) &&
    vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  let uris = vscode.workspace.textDocuments.filter(isCode).map(({ uri }) => uri);
  if (uris.length === 0) {
    const glob = `**/*.{${codeEndings.join(',')}}`;
    uris = await vscode.workspace.findFiles(glob, '**/{node_modules,dist,build,out,vendor}/**', TRIED_FILES);
  }
  const end = Date.now() + READY_MS;
  while (uris.length > 0 && Date.now() < end) {
    for (const uri of uris.slice(0, TRIED_FILES)) {
      if (!(await open(uri))) continue;
      const symbols = await vscode.commands.executeCommand<readonly unknown[] | undefined>(SYMBOLS, uri);
      if (symbols && symbols.length > 0) return true;
    }
    await delay(RETRY_MS);
  }
  return false;
}

async function renameAt(
  uri: vscode.Uri,
  place: vscode.Position,
  newName: string,
  signal: AbortSignal,
): Promise<CodeRename> {
  const versions = new Map(vscode.workspace.textDocuments.map((document) => [document, document.version]));
  let edit: vscode.WorkspaceEdit | undefined;
  try {
    const command = 'vscode.executeDocumentRenameProvider';
    const asked = vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(command, uri, place, newName);
    edit = await inTime(Promise.resolve(asked), signal);
  } catch {
    // The message of a server may quote any file.
    signal.throwIfAborted();
    return { ok: false, why: 'refused' };
  }
  if (!edit) return { ok: false, why: 'unknown' };
  if (hasFileChanges(edit)) return { ok: false, why: 'moves_files' };
  const files: ChangedCode[] = [];
  for (const [changed, edits] of edit.entries()) {
    const path = pathOf(changed);
    if (path === undefined) return { ok: false, why: 'no_file' };
    const document = await inTime(Promise.resolve(vscode.workspace.openTextDocument(changed)), signal);
    const version = versions.get(document);
    if (version !== undefined && version !== document.version) {
      return { ok: false, why: 'changed' };
    }
    const changes = edits.map(({ range: { start, end }, newText }) => ({
      startLine: start.line + 1,
      startCharacter: start.character,
      endLine: end.line + 1,
      endCharacter: end.character,
      text: newText,
    }));
    files.push({ path, text: document.getText(), changes });
  }
  return { ok: true, files };
}

/** VS Code lists only text edits. Its own list of everything is not documented, and may be missing. */
function hasFileChanges(edit: vscode.WorkspaceEdit): boolean {
  const all: unknown = '_edits' in edit ? edit._edits : undefined;
  return Array.isArray(all) && all.some((one: { readonly _type?: unknown }) => one._type !== TEXT_EDIT);
}

const TEXT_EDIT = 2;

async function callersOf(
  uri: vscode.Uri,
  place: vscode.Position,
  signal: AbortSignal,
): Promise<readonly CodePosition[]> {
  const items = await ask<readonly vscode.CallHierarchyItem[]>('vscode.prepareCallHierarchy', signal, uri, place);
  const calls: CodePosition[] = [];
  for (const item of items ?? []) {
    const command = 'vscode.provideIncomingCalls';
    const found = await ask<readonly vscode.CallHierarchyIncomingCall[]>(command, signal, item);
    for (const { from, fromRanges } of found ?? []) {
      calls.push(...fromRanges.flatMap((range) => positionOf(from.uri, range) ?? []));
    }
  }
  return calls;
}

async function typesOf(
  relation: 'supertypes' | 'subtypes',
  uri: vscode.Uri,
  place: vscode.Position,
  signal: AbortSignal,
): Promise<readonly CodePosition[]> {
  const items = await ask<readonly vscode.TypeHierarchyItem[]>('vscode.prepareTypeHierarchy', signal, uri, place);
  const types: CodePosition[] = [];
  for (const item of items ?? []) {
    const command = relation === 'supertypes' ? 'vscode.provideSupertypes' : 'vscode.provideSubtypes';
    const found = await ask<readonly vscode.TypeHierarchyItem[]>(command, signal, item);
    types.push(...(found ?? []).flatMap((type) => positionOf(type.uri, type.selectionRange) ?? []));
  }
  return types;
}

function ask<T>(command: string, signal: AbortSignal, ...args: readonly unknown[]): Promise<T | undefined> {
  return inTime(Promise.resolve(vscode.commands.executeCommand<T | undefined>(command, ...args)), signal);
}

/** Rejects if there is no answer in time, or when `signal` is aborted. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const outcome = await withinTime(
    work.then((value) => ({ value })),
    ANSWER_MS,
    signal,
  );
  if (!outcome) throw new Error('The language server did not answer in time.');
  return outcome.value;
}

/** Without showing it. False: it is not there, or not text for VS Code. */
async function open(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.openTextDocument(uri).then(
    () => true,
    () => false,
  );
}

/** Functions have local symbols, which are left out. */
function flat(symbol: vscode.DocumentSymbol, path: string, container?: string): readonly CodeSymbol[] {
  const { name, kind, selectionRange, children } = symbol;
  // TypeScript lists functions without a name too.
  if (/^<| callback$/.test(name)) return [];
  const position = positionIn(path, selectionRange);
  const own: CodeSymbol = { ...position, name, kind: kindName(kind), ...(container !== undefined && { container }) };
  const isOpen = CONTAINERS.has(kind);
  return [own, ...(isOpen ? children.flatMap((child) => flat(child, path, name)) : [])];
}

const CONTAINERS: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Package,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Struct,
  vscode.SymbolKind.Object,
  vscode.SymbolKind.Variable,
  vscode.SymbolKind.Constant,
]);

function symbolOf({ name, kind, containerName, location }: vscode.SymbolInformation): CodeSymbol | undefined {
  const position = positionOf(location.uri, location.range);
  return (
    position && { ...position, name, kind: kindName(kind), ...(containerName !== '' && { container: containerName }) }
  );
}

function kindName(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? '').toLowerCase();
}

function positionOf(uri: vscode.Uri, range: vscode.Range): CodePosition | undefined {
  const path = pathOf(uri);
  return path === undefined ? undefined : positionIn(path, range);
}

function positionIn(path: string, { start }: vscode.Range): CodePosition {
  return { path, line: start.line + 1, character: start.character };
}

function placeOf({ line, character }: CodePosition): vscode.Position {
  return new vscode.Position(line - 1, character);
}
