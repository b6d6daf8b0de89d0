import type { SessionLog } from '../../sdk/session/sessionLog';
import type { SessionFeed } from '../session/sessionFeed';
import { summaryNotice } from '../view/notices/notices';
import { reviewNotice } from '../view/notices/reviewNotice';
import type { ViewItem } from '../view/sessionView';
import type { FindCheck } from './findCheck';
import { roundEntry, worseText, type WorseRound } from './roundHistory';
import { summariseRun } from './summariseRun';

interface RunSummariesParts {
  readonly log: SessionLog;
  readonly feed: SessionFeed;
  /** Absent: only unasked changes are named. */
  readonly findCheck: FindCheck | undefined;
  readonly findWorseRound: () => Promise<WorseRound | undefined>;
  readonly newId: () => string;
  readonly onInternalError: (error: unknown) => void;
}

/** Says what the runs of a session changed and checked: to the model before a run ends, to the person after it. */
export class RunSummaries {
  readonly #parts: RunSummariesParts;
  /** The model got the facts about the current run. Then the person decides. */
  #hasToldFacts = false;

  constructor(parts: RunSummariesParts) {
    this.#parts = parts;
  }

  /** A run begins. */
  begin(): void {
    this.#hasToldFacts = false;
  }

  /** Shows which changes of the loaded session nobody has seen: the notice of its last run may have gone with its window. */
  showUnseen(isUnseen: (path: string) => boolean): void {
    const { feed, newId } = this.#parts;
    const { items } = feed.view;
    const review = hasSummary(items) ? undefined : reviewNotice(newId(), items, isUnseen);
    if (review) feed.notice(review);
  }

  /** Says what the run changed and checked. Never rejects. */
  async summarise(): Promise<void> {
    const { log, feed, newId, findCheck, findWorseRound, onInternalError } = this.#parts;
    try {
      if (!findCheck) {
        const notice = reviewNotice(newId(), feed.view.items);
        if (notice) feed.notice(notice);
        return;
      }
      const summary = await summariseRun(log.entries, findCheck);
      if (!summary) return;
      const { promptId } = summary;
      const worse = await findWorseRound();
      const beforeRound = worse && roundEntry(log.entries, worse.round)?.id;
      const message = worse ? `${summary.message}\n${worseText(worse)}` : summary.message;
      // The run may have gone on after a stop.
      feed.dismissSummaries(promptId);
      const told = { promptId, message, ...(beforeRound !== undefined && { beforeRound }) };
      const { id } = log.append({ type: 'run_summary', ...told });
      feed.notice(summaryNotice({ id, ...told }));
    } catch (error) {
      onInternalError(error);
    }
  }

  /** What the model should know before its run ends: once for a run. Never rejects. */
  async factsToTell(): Promise<string | undefined> {
    const { log, findCheck, onInternalError } = this.#parts;
    if (this.#hasToldFacts || !findCheck) return undefined;
    try {
      const facts = (await summariseRun(log.entries, findCheck))?.forModel;
      this.#hasToldFacts = facts !== undefined;
      return facts;
    } catch (error) {
      onInternalError(error);
      return undefined;
    }
  }

  /** Removes a notice. Without the entry, the facts about a run would come back with the file. */
  dismissNotice(id: string): void {
    const { log, feed } = this.#parts;
    const about = feed.view.items.find((item) => item.id === id && item.kind === 'notice');
    const promptId = about?.kind === 'notice' ? about.notice.promptId : undefined;
    if (promptId !== undefined && !feed.view.readOnly) log.append({ type: 'run_summary', promptId, message: '' });
    feed.dismissNotice(id);
  }
}

/** Whether the newest run is summarised. */
function hasSummary(items: readonly ViewItem[]): boolean {
  const newest = items.findLast((item) => item.kind === 'prompt' && !item.isSteering);
  return items.some((item) => item.kind === 'notice' && newest !== undefined && item.notice.promptId === newest.id);
}
