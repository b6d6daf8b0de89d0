import type { ContextSource } from '../../agent/context/contextSource';
import { changesContext, type Changes } from '../../agent/prompts/changes';
import type { GuardOptions } from '../../workspace/paths/guardPath';
import type { ChangedFile } from '../../agent/prompts/changedFiles';
import { accessToChange } from '../sourceControl/accessToChange';
import { diffText, nameIn, textOfChange } from '../sourceControl/changesToCommit';
import { gitRepositories, type GitChange, type GitCommit, type GitRepository } from '../sourceControl/gitExtension';
import { displayPathOf } from '../workspace/displayPathOf';
import { pathOf } from '../workspace/uris';
import * as l10n from '../../util/l10n';

export interface ChangesSourceParts {
  readonly roots: () => GuardOptions['roots'];
  readonly fileSystem: GuardOptions['fileSystem'];
}

/** Each costs a run of git. The names of more are still told. */
const MAX_DIFFS = 60;
const MAX_COMMITS = 15;

/** A commit as a person names it: a hash, a tag, `HEAD~2`. Never an option of git. */
const REVISION = /^[\w][\w./~^-]{0,100}$/;

/**
 * `@changes`: what is not committed. `@changes:main`: what this branch changed since it left another. `@changes:1a2b3c4`: what a
 * commit changed. `@changes:src/a.ts`: what is not committed of a file.
 */
export function createChangesSource(parts: ChangesSourceParts): ContextSource {
  return {
    async read(argument, { signal }) {
      const repositories = await gitRepositories();
      if (repositories.length === 0)
        throw new Error(l10n.t('No folder of this window is a git repository. Remove @changes.'));
      const found = argument === undefined ? await uncommitted(repositories) : await named(argument, repositories);
      signal.throwIfAborted();
      return changesContext(await readable(found, parts, signal));
    },
  };
}

/** Branches and the newest commits for suggestions, as `changes:main`. */
export async function changesToName(): Promise<readonly { readonly name: string; readonly detail: string }[]> {
  const found: { name: string; detail: string }[] = [];
  for (const repository of await gitRepositories()) {
    const head = repository.state.HEAD?.name;
    for (const { name } of await repository.getBranches({ remote: false })) {
      if (name !== undefined && name !== head && !name.startsWith('-'))
        found.push({ name: `changes:${name}`, detail: l10n.t('Since this branch') });
    }
    const commits = await repository.log({ maxEntries: MAX_COMMITS }).catch(() => []);
    for (const { hash, message } of commits)
      found.push({ name: `changes:${hash.slice(0, 8)}`, detail: message.split('\n', 1)[0] ?? '' });
  }
  return found;
}

/** Changes whose texts are not read yet. */
interface FoundChanges {
  readonly title: string;
  readonly changes: readonly {
    readonly change: GitChange;
    readonly readText: () => Promise<string | undefined>;
  }[];
}

async function uncommitted(repositories: readonly GitRepository[]): Promise<FoundChanges> {
  const changes = repositories.flatMap((repository) => {
    const { indexChanges, workingTreeChanges, mergeChanges = [], untrackedChanges = [] } = repository.state;
    const all = [...mergeChanges, ...workingTreeChanges, ...untrackedChanges, ...indexChanges];
    // A file can be changed in the index and in the working tree. The diff with the last commit has both.
    const byFile = new Map(all.toReversed().map((change) => [change.uri.toString(), change]));
    return [...byFile.values()].map((change) => ({ change, readText: () => textOfChange(repository, change, false) }));
  });
  if (changes.length === 0) throw new Error(l10n.t('There are no uncommitted changes. Remove @changes.'));
  return { title: 'Uncommitted changes', changes };
}

async function named(argument: string, repositories: readonly GitRepository[]): Promise<FoundChanges> {
  const ofFile = (await uncommitted(repositories).catch(() => undefined))?.changes.filter(
    ({ change }) => displayPathOf(change.uri) === argument,
  );
  if (ofFile && ofFile.length > 0) return { title: `Uncommitted changes of ${argument}`, changes: ofFile };
  for (const repository of repositories) {
    const branches = await repository.getBranches({ remote: true });
    // A branch can be named like an option of git, which `git diff` would obey.
    if (!argument.startsWith('-') && branches.some(({ name }) => name === argument))
      return sinceBranch(repository, argument);
  }
  for (const repository of repositories) {
    const commit = REVISION.test(argument) ? await repository.getCommit(argument).catch(() => undefined) : undefined;
    if (commit) return ofCommit(repository, commit);
  }
  throw new Error(l10n.t('There is no branch, commit or changed file "{0}".', argument));
}

async function sinceBranch(repository: GitRepository, branch: string): Promise<FoundChanges> {
  const own = await between(repository, branch, 'HEAD');
  if (own.length > 0) return { title: `Committed changes since ${branch}`, changes: own };
  const others = await between(repository, 'HEAD', branch);
  if (others.length > 0) return { title: `Changes of ${branch}, which are not in this branch`, changes: others };
  throw new Error(l10n.t('{0} and this branch have the same commits. @changes sends what is not committed.', branch));
}

async function ofCommit(repository: GitRepository, { hash, message, parents }: GitCommit): Promise<FoundChanges> {
  const [parent] = parents;
  if (parent === undefined)
    throw new Error(l10n.t('{0} is the first commit: it has nothing to compare with.', hash.slice(0, 8)));
  const title = `Commit ${hash.slice(0, 8)} "${message.split('\n', 1)[0] ?? ''}"`;
  return { title, changes: await between(repository, parent, hash) };
}

/** What the second has changed since both were the same. */
async function between(repository: GitRepository, from: string, to: string): Promise<FoundChanges['changes']> {
  const changes = await repository.diffBetween(from, to);
  return changes.map((change) => ({
    change,
    readText: async () =>
      diffText(await repository.diffBetween(from, to, change.uri.fsPath), nameIn(repository, change.uri)),
  }));
}

/** Reads the changes that may be read: not of files that may hold secrets, and none outside the workspace's folders. */
async function readable(
  { title, changes }: FoundChanges,
  parts: ChangesSourceParts,
  signal: AbortSignal,
): Promise<Changes> {
  const files: ChangedFile[] = [];
  let outside = 0;
  for (const { change, readText } of changes) {
    signal.throwIfAborted();
    const path = displayPathOf(change.uri);
    const names = [change.uri, change.originalUri, change.renameUri].flatMap((uri) => (uri ? [pathOf(uri)] : []));
    const access = await accessToChange(names, { roots: parts.roots(), fileSystem: parts.fileSystem });
    if (access === 'outside') outside += 1;
    else if (access === 'protected' || files.length >= MAX_DIFFS) files.push({ path });
    else files.push({ path, change: await readText().catch(() => undefined) });
  }
  return { title, files, outside };
}
