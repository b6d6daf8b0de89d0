import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentSession } from '../../agent/session/agentSession';
import type { ListedSession } from '../../agent/session/sessionList';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import { lastEventMs } from '../../agent/sessionFiles/lastEvent';
import { exitCodes } from '../exitCodes';
import type { RunOptions } from '../arguments/runOptions';
import { safeTerminalText } from '../terminal/safeTerminalText';

export interface SessionPlaces {
  readonly registry: SessionRegistry;
  /** The folder of the session files. */
  readonly directory: string;
  /** The URI of the working folder. */
  readonly workspace: string;
}

export type Begun =
  | { readonly session: AgentSession; readonly isResumed: boolean }
  | { readonly problem: string; readonly exitCode: number };

/** The first session of a run or a conversation: a new one, or an earlier one that continues. */
export async function beginSession(resume: RunOptions['resume'], places: SessionPlaces): Promise<Begun> {
  if (!resume) return { session: await places.registry.create(), isResumed: false };
  if ('id' in resume) return resumeById(resume.id, places);
  // A program's session is its own, until a person goes on in it.
  const newest = (await sessionsOf(places)).find(({ isServed, isTakenUp }) => !isServed || isTakenUp);
  return newest ? openForWriting(newest.id, places) : { session: await places.registry.create(), isResumed: false };
}

/** The sessions of the folder. The session with the newest event comes first. */
export async function sessionsOf({ registry, directory, workspace }: SessionPlaces): Promise<readonly ListedSession[]> {
  const here = (await registry.list()).filter((session) => session.workspace === workspace);
  const timed = await Promise.all(
    here.map(async (session) => {
      const lastMs = await lastEventMs(path.join(directory, `${session.id}.jsonl`)).catch(() => undefined);
      return { ...session, updatedMs: lastMs ?? session.updatedMs };
    }),
  );
  return timed.sort((a, b) => b.updatedMs - a.updatedMs || a.id.localeCompare(b.id));
}

/** Finds a session by its id or a prefix of it. */
export async function resumeById(id: string, places: SessionPlaces): Promise<Begun> {
  const { registry, directory, workspace } = places;
  const all = await registry.list();
  const exact = all.filter((session) => session.id === id);
  const [found, another] = exact.length > 0 ? exact : all.filter((session) => session.id.startsWith(id));
  const shown = safeTerminalText(id);
  if (!found) {
    const way = 'Type /sessions in a conversation to list them; --autoresume continues the newest.';
    return wrong(`There is no session "${shown}" in ${directory}. ${way}`);
  }
  if (another) return wrong(`Several sessions begin with "${shown}". Give more of the id.`);
  if (found.workspace !== null && found.workspace !== workspace) {
    const folder = safeTerminalText(fileURLToPath(found.workspace));
    return wrong(`The session ${shown} belongs to ${folder}. Continue it there: --cwd ${folder}`);
  }
  return openForWriting(found.id, places);
}

async function openForWriting(id: string, { registry }: SessionPlaces): Promise<Begun> {
  const session = await registry.open(id);
  const { readOnly } = session.view;
  if (!readOnly) return { session, isResumed: true };
  await registry.leave(id);
  if (readOnly.why === 'newer') {
    return {
      problem: `The session ${id} was written by a newer version of open-agent. Update open-agent to continue it.`,
      exitCode: exitCodes.failed,
    };
  }
  return {
    problem: `The session ${id} is open in another process. Close it there, or start without --resume and --autoresume for a new one.`,
    exitCode: exitCodes.sessionInUse,
  };
}

function wrong(problem: string): Begun {
  return { problem, exitCode: exitCodes.wrongUsage };
}
