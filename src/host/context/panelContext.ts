import * as vscode from 'vscode';
import type { ContextChip, ContextOffer, InstructionChip, WorkspaceCounts } from '../../agent/view/prompt/contextChip';
import { DisposableStore, type Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { SetTimer } from '../../util/timer';
import { contextOffer } from './contextOffer';
import type { InstructionChoice } from './instructionChoice';
import { workspaceCounts } from './workspaceCounts';

/** The context of the prompt in the composer, and what the editor offers for it. */
export interface ContextState {
  readonly chips: readonly ContextChip[];
  readonly offer?: ContextOffer | undefined;
  /** The project's instructions for a new session, also those that are switched off. */
  readonly instructions: readonly InstructionChip[];
  /** All places whose instructions are switched off. */
  readonly instructionsOff: readonly string[];
  /** For the suggestions of an empty session. */
  readonly counts: WorkspaceCounts;
}

export interface PanelContextParts {
  /** Tells what a text names. Rejects when `signal` is aborted. */
  readonly describe: (text: string, signal: AbortSignal) => Promise<readonly ContextChip[]>;
  /** Never rejects. */
  readonly describeInstructions: () => Promise<readonly InstructionChip[]>;
  readonly instructionChoice: Pick<InstructionChoice, 'off'>;
  readonly setTimer: SetTimer;
  readonly onInternalError: (error: unknown) => void;
}

/** A person who selects with the mouse changes the selection many times a second. */
const QUIET_MS = 200;
/** Context that changes without the person's doing in an editor. */
const CHANGING = /^@"?(?:problems|changes|terminal)(?:[:"]|$)/;

/** Follows what the prompt names and what is selected, for the chips above the composer. */
export class PanelContext implements Disposable {
  readonly #parts: PanelContextParts;
  readonly #changed: Emitter<void>;
  readonly #owned = new DisposableStore();
  #mentions: readonly string[] = [];
  #state: ContextState = { chips: [], instructions: [], instructionsOff: [], counts: { errors: 0 } };
  #areInstructionsKnown = false;
  #describing = new AbortController();
  #timer: Disposable | undefined;

  constructor(parts: PanelContextParts) {
    this.#parts = parts;
    this.#changed = this.#owned.add(new Emitter<void>(parts.onInternalError));
    const soon = (): void => this.refreshSoon();
    this.#owned.add(vscode.window.onDidChangeTextEditorSelection(soon));
    this.#owned.add(vscode.window.onDidChangeActiveTextEditor(soon));
    const again = (): void => this.lookAgain();
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(again));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
    const later = (): void => {
      if (this.#mentions.some((mention) => CHANGING.test(mention))) this.refreshSoon();
    };
    this.#owned.add(vscode.window.onDidEndTerminalShellExecution(later));
    this.#owned.add(vscode.languages.onDidChangeDiagnostics(soon));
    this.#state = { ...this.#state, offer: contextOffer(), counts: workspaceCounts() };
  }

  get state(): ContextState {
    return this.#state;
  }

  /** Calls the listener after each change of the state. */
  onChange(listener: () => void): Disposable {
    return this.#changed.on(listener);
  }

  /** Follows these mentions from now on, and tells their state even if it is known: a new page asks again. */
  follow(mentions: readonly string[]): Promise<void> {
    this.#mentions = mentions;
    return this.#refresh({ isTold: true });
  }

  /** As `refreshSoon`, and reads the project's instructions again. */
  lookAgain(): void {
    this.#areInstructionsKnown = false;
    this.refreshSoon();
  }

  /** Looks again, once for many calls. */
  refreshSoon(): void {
    this.#timer?.dispose();
    this.#timer = this.#parts.setTimer(() => {
      this.#refresh({ isTold: false }).catch(this.#parts.onInternalError);
    }, QUIET_MS);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#describing.abort();
    this.#owned.dispose();
  }

  async #refresh({ isTold }: { readonly isTold: boolean }): Promise<void> {
    this.#describing.abort();
    const describing = new AbortController();
    this.#describing = describing;
    const mentions = this.#mentions;
    const chips = mentions.length === 0 ? [] : await this.#describe(mentions.join(' '), describing.signal);
    const instructions = this.#areInstructionsKnown
      ? this.#state.instructions
      : await this.#parts.describeInstructions();
    if (describing.signal.aborted || chips === undefined) return;
    this.#areInstructionsKnown = true;
    const instructionsOff = this.#parts.instructionChoice.off;
    const next: ContextState = {
      chips,
      offer: contextOffer(),
      instructions,
      instructionsOff,
      counts: workspaceCounts(),
    };
    if (!isTold && JSON.stringify(next) === JSON.stringify(this.#state)) return;
    this.#state = next;
    this.#changed.emit();
  }

  /** `undefined`: a newer question took its place. */
  async #describe(text: string, signal: AbortSignal): Promise<readonly ContextChip[] | undefined> {
    try {
      return await this.#parts.describe(text, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}
