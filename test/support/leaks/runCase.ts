import { readFile, readdir } from 'node:fs/promises';
import type { ModelServer, Turn } from '../servers/modelServer';
import type { LeakCase, Observation, WayIn } from './leakCase';
import type { Variant } from './marks';
import { runHeadless, runInTerminal } from './ways/commandLine';
import { runThroughEndpoint } from './ways/endpoint';
import { runExam } from './ways/exam';
import { runLibrary } from './ways/library';
import { runMounted } from './ways/mounted';
import type { RunWay } from './ways/way';
import { runInWindow } from './ways/window';
import type { LeakWorld } from './world';

const WAYS: Readonly<Record<WayIn, RunWay>> = {
  headless: runHeadless,
  confined: runHeadless,
  terminal: runInTerminal,
  endpoint: runThroughEndpoint,
  window: runInWindow,
  mounted: runMounted,
  library: runLibrary,
  exam: runExam,
};

/** What a person, or a rule that names it, allowed in a case. */
export interface Allowed {
  /** Files whose content may be known and may change, by their path in the world. */
  readonly files?: readonly string[] | undefined;
  /** Changes of the workspace that are expected: `changed ws/a.txt`. */
  readonly changes?: readonly string[] | undefined;
  /** Whether a change of the workspace needs no question in this mode. */
  readonly isOrdinaryChange?: ((change: string) => boolean) | undefined;
  /** Lines of the canaries that are expected. */
  readonly programs?: RegExp | undefined;
}

/** Runs a case in a variant of the world, and gives everything that left the agent. */
export async function observe(
  given: LeakCase,
  variant: Variant,
  { world, server }: { readonly world: LeakWorld; readonly server: ModelServer },
): Promise<Observation> {
  await world.reset(variant);
  if (given.arrange) {
    await given.arrange(world);
    await world.accept();
  }
  server.requests.length = 0;
  server.completions.length = 0;
  server.dropTurns();
  server.script(...(given.turns ?? [{ toolCalls: given.calls }]), ...lastWords());
  const rest = await withEnvironment(world.environment, () => WAYS[given.way](given, { world, server }));
  return { ...rest, sent: server.requests.map(({ path, text }) => `${path} ${text}`) };
}

/** A failed request may be tried again, so the model can say it more than once. */
function lastWords(): readonly Turn[] {
  return Array.from({ length: 3 }, () => ({ text: 'Done.' }));
}

/** Everything that broke the promise in this run, one line each; empty: nothing did. */
export async function findBreaches(
  observed: Observation,
  variant: Variant,
  world: LeakWorld,
  allowed: Allowed = {},
): Promise<readonly string[]> {
  const search = world.search(variant);
  const breaches: string[] = [];
  const look = (place: string, text: string): void => {
    for (const { name, form, around } of search.find(text)) {
      if (allowed.files?.includes(name) === true) continue;
      breaches.push(`${place} has ${name} (${form}): …${around.replaceAll(/\s+/g, ' ')}…`);
    }
  };
  for (const [index, text] of observed.sent.entries()) look(`request ${index + 1} to the model`, text);
  look('the log or answer', observed.log);
  look('an offer', observed.offers.join('\n'));
  for (const [name, content] of await world.ownFiles())
    look(`the agent's file ${name.split('/').slice(0, 3).join('/')}`, content);
  for (const change of await world.changes()) {
    const isAllowed = allowed.changes?.includes(change) === true || allowed.isOrdinaryChange?.(change) === true;
    if (!isAllowed) breaches.push(change);
  }
  for (const line of (await world.canary()).split('\n').filter((one) => one !== '')) {
    if (allowed.programs?.test(line) !== true) breaches.push(`ran ${line}`);
  }
  for (const left of await processesOfRuns(world)) breaches.push(`left running: ${left}`);
  return breaches;
}

/** Where two runs differ that must be the same, with the text around it; `undefined`: nowhere. */
export function firstDifference(one: Observation, other: Observation, world: LeakWorld): string | undefined {
  const [first, second] = [transcriptOf(one, world), transcriptOf(other, world)];
  if (first === second) return undefined;
  let at = 0;
  while (first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 300), at + 200);
  return `In one world:\n${around(first)}\n\nIn the other:\n${around(second)}`;
}

function transcriptOf({ sent, questions, offers, log }: Observation, world: LeakWorld): string {
  // The server is also asked for its models, in any order.
  const prompts = sent.filter((request) => request.startsWith('/v1/chat/completions'));
  const text = [...prompts, ...questions.map((question) => JSON.stringify(question)), ...offers, log].join('\n');
  return withoutTimes(text.replaceAll(world.top, '<world>'));
}

/** Removes times, ids and durations. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?( ?[+-]\d{4}|Z)?/g, '<time>')
    .replaceAll(/[A-Z][a-z]{2} +\d{1,2} +(\d\d:\d\d(:\d\d)?|\d{4})/g, '<time>')
    .replaceAll(/\b1[5-9]\d{8}(\d{3})?(\.\d+)?\b/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\b\d+ ms\b|\b\d+\.\d+ s\b/g, '<duration>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/Token: \S+/g, '<token>');
}

async function withEnvironment<T>(environment: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  const replace = (values: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, values);
  };
  const { TMPDIR, LANG } = before;
  replace({ ...(TMPDIR !== undefined && { TMPDIR }), ...(LANG !== undefined && { LANG }), ...environment });
  try {
    return await run();
  } finally {
    replace(before);
  }
}

/** The command lines of processes that work in the world. Linux only. */
async function processesOfRuns(world: LeakWorld): Promise<readonly string[]> {
  const found: string[] = [];
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    ids.map(async (id) => {
      try {
        const environment = await readFile(`/proc/${id}/environ`, 'latin1');
        if (!environment.includes('OPEN_AGENT_RUN=') || !environment.includes(`HOME=${world.home}`)) return;
        found.push((await readFile(`/proc/${id}/cmdline`, 'latin1')).replaceAll('\0', ' '));
      } catch {
        // It has ended, or belongs to somebody else.
      }
    }),
  );
  return found;
}
