import * as l10n from '../../../util/l10n';
import { messageOf } from '../../../util/errors';
import type { WorkspaceScanner } from '../../../workspace/checkpoints/ports';
import { foldersOnDisk } from '../../../workspace/paths/roots';
import type { Confinement, Root, WorkspacePorts } from '../../../workspace/ports';

/** How a command can run in the sandbox now, or why it cannot, for people. */
export type SandboxOffer =
  { readonly ok: true; readonly confinement: Confinement } | { readonly ok: false; readonly problem: string };

/** Tries the sandbox for a command in this folder. Without a folder, for an edit: whether this machine has it. Never rejects. */
export type OfferSandbox = (cwd?: string) => Promise<SandboxOffer>;

export interface SandboxOfferParts {
  readonly ports: Pick<WorkspacePorts, 'confinement' | 'fileSystem'>;
  readonly roots: () => readonly Root[];
  /** Changes that cannot be found cannot be undone. */
  readonly scanner: WorkspaceScanner;
  readonly isTrusted: () => boolean;
}

/** A call is judged twice, directly after each other. What fails after that fails closed: nothing runs. */
const REUSED_MS = 2000;

/** Tries everything that a sandboxed command needs, besides the command. */
export function createSandboxOffer({ ports, roots, scanner, isTrusted }: SandboxOfferParts): OfferSandbox {
  let last: { readonly key: string; readonly at: number; readonly offer: SandboxOffer } | undefined;
  const tryNow = async (writable: readonly string[], cwd: string | undefined): Promise<SandboxOffer> => {
    if (writable.length === 0 || writable.length < roots().length)
      return refuse(l10n.t('not every workspace folder is on disk.'));
    const confinement: Confinement = { allowsNetwork: false, writable, isSandbox: true };
    if (!ports.confinement?.findSandboxProblem) return refuse(l10n.t('this is not possible here.'));
    // An edit needs no sandbox. Its mode does.
    const problem =
      cwd === undefined
        ? await ports.confinement.findProblem()
        : await ports.confinement.findSandboxProblem(confinement, cwd);
    if (problem !== undefined) return refuse(problem);
    if (cwd === undefined) return { ok: true, confinement };
    const { isComplete } = await scanner.scan(new AbortController().signal);
    return isComplete
      ? { ok: true, confinement }
      : refuse(l10n.t('the workspace is too large to undo changes of commands.'));
  };
  return async (cwd) => {
    if (!isTrusted()) return refuse(l10n.t('the workspace is not trusted.'));
    try {
      const found = await Promise.all(foldersOnDisk(roots()).map(({ path }) => ports.fileSystem.realPath(path)));
      const writable = found.filter((path) => path !== undefined);
      const key = JSON.stringify([writable, cwd]);
      const now = performance.now();
      if (last?.key === key && now - last.at < REUSED_MS) return last.offer;
      const offer = await tryNow(writable, cwd);
      last = offer.ok ? { key, at: performance.now(), offer } : undefined;
      return offer;
    } catch (error) {
      return refuse(messageOf(error));
    }
  };
}

function refuse(problem: string): SandboxOffer {
  return { ok: false, problem };
}
