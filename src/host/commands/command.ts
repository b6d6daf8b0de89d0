import type { LazyHost } from '../lazyHost';
import type { OutputLog } from '../outputLog';

/** One command of package.json. */
export interface Command {
  readonly id: string;
  /** What it rejects with is shown to the person. */
  readonly run: (...args: readonly unknown[]) => Promise<void>;
}

/** What commands work with. The host is loaded when one is run. */
export interface CommandParts {
  readonly host: LazyHost;
  readonly log: OutputLog;
}
