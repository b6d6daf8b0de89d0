import path from 'node:path';
import * as vscode from 'vscode';
import type { Diagnostics, Problem } from '../../workspace/ports';
import { QuietWait, type QuietTimes } from './quietWait';
import { RecentChanges, type DoubtTimes } from './recentChanges';
import { ReportingKinds } from './reportingKinds';
import { pathOf, uriOf } from '../workspace/uris';
import type { SetTimer } from '../../util/timer';

export interface DiagnosticsTimes {
  /** For a caller who wants the problems: servers answer within it or not at all. A syntax check comes before a type check. */
  readonly reading: QuietTimes;
  /** Before an edit, for a file that was closed. */
  readonly loading: QuietTimes;
  /** After an edit. Later reports are told later: see `SessionProblems`. */
  readonly editing: QuietTimes;
  /** After several edits that follow each other, where new problems are known: they may be about a state between the edits. */
  readonly doubting: DoubtTimes;
}

const MAX_FOLLOWED = 20;

/** An edit waits for a quarter of a second at most. TypeScript's server alone takes half a second before it begins to check. */
const USUAL_TIMES: DiagnosticsTimes = {
  reading: { firstMs: 1_500, quietMs: 300, mostMs: 4_000 },
  loading: { firstMs: 60, quietMs: 20, mostMs: 80 },
  editing: { firstMs: 150, quietMs: 60, mostMs: 170 },
  doubting: { leastMs: 1_500, mostMs: 4_000 },
};

/**
 * The reports of language servers and linters, from VS Code's own event. They check only open documents, so a closed
 * file is loaded without showing it. An edit waits only for kinds of files that something reports about.
 */
export function createVscodeDiagnostics(schedule: SetTimer, times = USUAL_TIMES): Diagnostics {
  const kinds = new ReportingKinds(times.editing.firstMs);
  const changes = new RecentChanges(times.doubting, {
    on: (listener) => vscode.languages.onDidChangeDiagnostics(() => listener()),
    schedule,
    now: () => performance.now(),
  });
  /** Documents that were loaded here and that nothing has reported about. */
  const unchecked = new Set<string>();
  /** The reports about edited files since their last edit, by address. */
  const edited = new Map<string, Reports>();
  const follow = (uri: vscode.Uri): void => {
    const address = uri.toString();
    edited.get(address)?.dispose();
    edited.delete(address);
    edited.set(address, new Reports(uri, times.reading, schedule));
    const [oldest] = edited.keys();
    if (edited.size <= MAX_FOLLOWED || oldest === undefined) return;
    edited.get(oldest)?.dispose();
    edited.delete(oldest);
  };

  /** Loads a closed file and waits for the first reports about it. */
  const check = async (uri: vscode.Uri, wait: QuietTimes, signal: AbortSignal): Promise<Opened> => {
    const reports = new Reports(uri, wait, schedule);
    const opened = await open(uri);
    if (opened === 'loaded') {
      await reports.settled({ signal });
      const kind = kindOf(uri);
      if (reports.hasHeard) kinds.noteReport(kind);
      else if (!signal.aborted) kinds.noteSilence(kind, uri.toString());
      if (!reports.hasHeard) unchecked.add(uri.toString());
    }
    reports.dispose();
    return opened;
  };

  /** Whether nothing reports about such files. A report that came late counts. */
  const isSilent = (uri: vscode.Uri): boolean => {
    const kind = kindOf(uri);
    if (!kinds.hasReports(kind) && reported().some((other) => kindOf(other) === kind)) kinds.noteReport(kind);
    return kinds.isSilent(kind) && !isReported(uri);
  };

  /** `silent`: nothing reports about such files, so this one was not loaded. */
  const load = async (uri: vscode.Uri, signal: AbortSignal): Promise<Opened | 'silent'> => {
    if (isOpen(uri)) return 'open';
    if (isSilent(uri)) return 'silent';
    let opened: Opened | 'silent' = 'silent';
    await kinds.tryFile(kindOf(uri), async () => {
      opened = await check(uri, times.loading, signal);
    });
    return opened;
  };

  const watch: Diagnostics['watch'] = async (file, { signal }) => {
    const uri = uriOf(file);
    const opened = await load(uri, signal);
    const change = changes.begin();
    const hasWaited = unchecked.delete(uri.toString());
    const isKnown = (opened !== 'silent' && !hasWaited) || isReported(uri);
    const kind = kindOf(uri);
    const reports = new Reports(uri, { ...times.editing, firstMs: kinds.firstMs(kind) }, schedule);
    return {
      before: isKnown ? problemsOf(uri) : undefined,
      async after({ signal: waitSignal, isNews }) {
        change.end();
        if (isSilent(uri)) return [];
        // The file may have been created just now.
        if ((await open(uri)) === 'missing') return [];
        follow(uri);
        // Nothing reported about the unchanged file, and nothing is known to report about others of its kind.
        if (hasWaited && !kinds.hasReports(kind) && !reports.hasHeard) return problemsOf(uri);
        await reports.settled({ signal: waitSignal });
        if (reports.hasHeard) kinds.noteReport(kind, reports.delayMs);
        else if (!waitSignal.aborted && !isReported(uri)) kinds.noteSilence(kind, uri.toString());
        await changes.untilSure(() => isNews(problemsOf(uri)), { signal: waitSignal });
        return problemsOf(uri);
      },
      dispose() {
        change.dispose();
        reports.dispose();
      },
    };
  };

  return {
    watch,
    async settle(files, { signal }) {
      const waits = files.flatMap((file) => edited.get(uriOf(file).toString()) ?? []);
      await Promise.all(waits.map((reports) => reports.settled({ signal })));
      for (const reports of waits) reports.dispose();
      for (const file of files) edited.delete(uriOf(file).toString());
    },
    untilSure: (hasNews, options) => changes.untilSure(hasNews, options),
    async load(file, { signal }) {
      await load(uriOf(file), signal);
    },
    async read(file, { signal }) {
      const uri = uriOf(file);
      await check(uri, times.reading, signal);
      return problemsOf(uri);
    },
    known() {
      const known = new Map<string, readonly Problem[]>();
      for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
        const file = pathOf(uri);
        if (file !== undefined) known.set(file, asProblems(diagnostics));
      }
      return known;
    },
  };
}

/** The reports about one file, from the construction on. */
class Reports extends QuietWait {
  #beganMs = 0;
  readonly #heardMs: () => number | undefined;

  constructor(uri: vscode.Uri, times: QuietTimes, schedule: SetTimer) {
    const address = uri.toString();
    let heardMs: number | undefined;
    const on = (listener: () => void): vscode.Disposable =>
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some((changed) => changed.toString() === address)) return;
        heardMs ??= performance.now();
        listener();
      });
    super(on, times, schedule);
    this.#heardMs = () => heardMs;
  }

  /** From the begin of the wait to the first report, in milliseconds; 0 if it came before. */
  get delayMs(): number {
    return Math.max(0, (this.#heardMs() ?? 0) - this.#beganMs);
  }

  override async settled(options: { readonly signal: AbortSignal }): Promise<void> {
    this.#beganMs = performance.now();
    await super.settled(options);
  }
}

/** The files that something has reported about. VS Code lists them with no problems too. */
function reported(): readonly vscode.Uri[] {
  return vscode.languages.getDiagnostics().map(([uri]) => uri);
}

function isReported(uri: vscode.Uri): boolean {
  const address = uri.toString();
  return reported().some((other) => other.toString() === address);
}

/** Files with one ending, in a tab or not: TypeScript's server checks only files in tabs. */
function kindOf(uri: vscode.Uri): string {
  const address = uri.toString();
  const isInTab = vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address),
  );
  const ending = path.posix.extname(uri.path).toLowerCase() || path.posix.basename(uri.path);
  return `${ending} ${isInTab ? 'in a tab' : 'in no tab'}`;
}

function isOpen(uri: vscode.Uri): boolean {
  const address = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === address);
}

/** `missing`: not there, or not text for VS Code. */
type Opened = 'open' | 'loaded' | 'missing';

async function open(uri: vscode.Uri): Promise<Opened> {
  if (isOpen(uri)) return 'open';
  return vscode.workspace.openTextDocument(uri).then(
    () => 'loaded' as const,
    () => 'missing' as const,
  );
}

function problemsOf(uri: vscode.Uri): readonly Problem[] {
  return asProblems(vscode.languages.getDiagnostics(uri));
}

function asProblems(diagnostics: readonly vscode.Diagnostic[]): readonly Problem[] {
  return diagnostics.flatMap(({ severity, message, range, source }): Problem[] => {
    // Hints and information are about style.
    if (severity > vscode.DiagnosticSeverity.Warning) return [];
    return [
      {
        line: range.start.line + 1,
        severity: severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning',
        message,
        ...(source !== undefined && { source }),
      },
    ];
  });
}
