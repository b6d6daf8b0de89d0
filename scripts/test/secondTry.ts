import { addCounts, noCounts } from './counts';
import type { Report } from './report';
import type { Command } from './stages';

/** Where more files fail than these, it is no chance. */
const mostFiles = 2;

/**
 * The test files to run a second time, in a new window. Steps of VS Code itself race, such as its own moves of the focus,
 * and no test can see all of them. Empty if the command has no second try, or if it is not known which files failed.
 */
export function filesToTryAgain(command: Command, report: Report | undefined): readonly string[] {
  if (command.hasSecondTry !== true || report === undefined) return [];
  const failed = command.files.filter((file) => (report.files[file]?.failed ?? 0) > 0);
  const known = failed.reduce((sum, file) => sum + (report.files[file]?.failed ?? 0), 0);
  return failed.length <= mostFiles && known === report.counts.failed ? failed : [];
}

/** The command that runs only some of its files. */
export function withFiles(command: Command, files: readonly string[]): Command {
  return {
    ...command,
    files,
    args: [...command.args.filter((argument) => !command.files.includes(argument)), ...files],
  };
}

/** The report of both runs: the first without `files`, and the second, which ran only those. */
export function mergeReports(first: Report, files: readonly string[], second: Report): Report {
  const kept = Object.entries(first.files).filter(([file]) => !files.includes(file));
  const counts = [...kept.map(([, its]) => its), second.counts].reduce(addCounts, noCounts);
  return { counts, failures: second.failures, files: { ...Object.fromEntries(kept), ...second.files } };
}
