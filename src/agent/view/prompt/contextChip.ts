import * as l10n from '../../../util/l10n';

/** Something that goes to the model with the prompt in the composer, because the text names it. */
export interface ContextChip {
  /** As the text names it: `@src/app.ts:3-9`. */
  readonly written: string;
  readonly kind: ContextKind;
  /** For people: `src/app.ts:3-9`, `Problems (3)`. */
  readonly label: string;
  /** Which part of it goes along: `lines 1-400 of 2000`, `12 lines`. */
  readonly part?: string | undefined;
  /** The estimated number of tokens. Absent: it was not read. */
  readonly tokens?: number | undefined;
  /** It may hold secrets, so the person is asked before it is read and sent. */
  readonly isAsked?: boolean | undefined;
  /** Why only its name goes along. */
  readonly nameOnly?: string | undefined;
  /** Why the prompt could not be sent with it. */
  readonly problem?: string | undefined;
}

/** Instructions of the project that go with the first message of a session, unless the person switches them off. */
export interface InstructionChip {
  /** See `InstructionSection`. */
  readonly id: string;
  readonly label: string;
  /** Estimated. */
  readonly tokens: number;
  readonly isOff?: boolean | undefined;
}

/** The code in the editor that the person may add. Nothing of it is read or sent before. */
export interface ContextOffer {
  /** The text that names it. */
  readonly written: string;
  /** For people: `app.ts:3-9`. */
  readonly label: string;
  /** Lines are selected; else it is the whole file. */
  readonly isSelection: boolean;
}

/** What there is to do in the workspace. */
export interface WorkspaceCounts {
  /** That VS Code reports now. */
  readonly errors: number;
  /** Not committed. Absent: unknown. */
  readonly changedFiles?: number | undefined;
}

/** What a prompt names besides files and folders. */
export const contextSourceNames = ['selection', 'problems', 'changes', 'terminal', 'pasted'] as const;

export type ContextSourceName = (typeof contextSourceNames)[number];
export type ContextKind = ContextSourceName | 'file' | 'folder' | 'image';

/** What a source sends, for the list of suggestions. */
export function contextSourceDetail(name: ContextSourceName): string {
  switch (name) {
    case 'selection':
      return l10n.t('The lines selected in the editor');
    case 'problems':
      return l10n.t('Errors and warnings of the workspace');
    case 'changes':
      return l10n.t('Uncommitted changes. After @changes: comes a branch or commit');
    case 'terminal':
      return l10n.t('The newest commands of the terminal, with output');
    case 'pasted':
      return l10n.t('A file that was dropped or pasted');
  }
}

export function isContextSource(name: string): name is ContextSourceName {
  return contextSourceNames.some((known) => known === name);
}
