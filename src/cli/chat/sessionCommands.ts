import type { AgentSession } from '../../agent/session/agentSession';
import { resumeById, sessionsOf, type SessionPlaces } from '../session/beginSession';
import type { ChatCommand } from './chatCommand';
import type { ChatContext } from './chatContext';
import { recap } from '../terminal/recap';
import { safeTerminalText } from '../terminal/safeTerminalText';

/** `/new` and `/sessions`. */
export function sessionCommands(places: SessionPlaces): readonly ChatCommand[] {
  return [
    {
      name: 'new',
      about: 'start a new session',
      run: async (context) => goOnIn(await places.registry.create(), context, places),
    },
    {
      name: 'sessions',
      argument: '[ID]',
      about: 'list the sessions of this folder, or continue one',
      run: (context, id) => (id === '' ? chooseSession(context, places) : reopen(id, context, places)),
    },
  ];
}

const LISTED = 20;

async function chooseSession(context: ChatContext, places: SessionPlaces): Promise<void> {
  const sessions = (await sessionsOf(places)).slice(0, LISTED);
  if (sessions.length === 0) return context.print('This folder has no sessions yet.\n');
  for (const [index, { id, title, updatedMs }] of sessions.entries()) {
    const when = new Date(updatedMs).toISOString().slice(0, 16).replace('T', ' ');
    const mark = id === context.session.id ? '*' : ' ';
    context.print(`${mark}${String(index + 1).padStart(3)}  ${when}  ${id.slice(0, 8)}  ${safeTerminalText(title)}\n`);
  }
  const answer = (await context.ask('Number of the session (Enter: stay here): '))?.trim();
  if (!answer) return;
  const chosen = /^\d{1,3}$/.test(answer) ? sessions[Number(answer) - 1]?.id : answer;
  if (chosen === undefined) return context.print(`There is no number ${answer}.\n`);
  await reopen(chosen, context, places);
}

async function reopen(id: string, context: ChatContext, places: SessionPlaces): Promise<void> {
  if (id === context.session.id) return;
  const begun = await resumeById(id, places);
  if ('problem' in begun) return context.print(`${begun.problem}\n`);
  await goOnIn(begun.session, context, places);
  context.print(recap(begun.session));
}

/** Leaves the old session, so that other processes can open it. */
async function goOnIn(session: AgentSession, context: ChatContext, { registry }: SessionPlaces): Promise<void> {
  const left = context.session;
  context.use(session);
  if (left.id !== session.id) await registry.leave(left.id);
}
