import { usualPorts } from '../../src/agent/servers/probe/discovery';
import { chooseModel } from '../../src/agent/servers/model/chooseModel';
import type { FoundServer, ServerProbe } from '../../src/agent/servers/probe/serverProbe';
import { messageOf } from '../../src/util/errors';
import { checks, type CheckOutcome, type LiveCheck, type LiveTarget } from './checks';

export interface LiveOptions {
  /** What was found, running servers and those that could not be used. */
  readonly servers: readonly ServerProbe[];
  /** The model to use; empty: the loaded or the first one of each server. */
  readonly model: string;
  /** A key that belongs to the server. */
  readonly keyFor: (baseUrl: string) => string | undefined;
  readonly print: (line: string) => void;
  /** For one check. */
  readonly limitMs?: number | undefined;
}

export interface LiveCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs every check on every server, one after the other, and prints what came of each. Never rejects. */
export async function runLive(options: LiveOptions): Promise<LiveCounts> {
  const { servers, print } = options;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (servers.length === 0) {
    print(`No model server answers on the usual ports of this machine (${usualPorts.join(', ')}): nothing was tested.`);
  }
  for (const server of servers) {
    const target = targetOf(server, options);
    print(`\n${target.title}`);
    if (!target.ok) {
      print(`  skipped  everything: ${target.reason}`);
      counts.skipped += checks.length;
      continue;
    }
    for (const check of checks) {
      const { kind, text } = await outcomeOf(check, target, options.limitMs ?? DEFAULT_LIMIT_MS);
      print(`  ${kind.padEnd(8)} ${check.name}: ${text}`);
      counts[kind] += 1;
    }
  }
  print(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts;
}

/** A large model on a slow machine takes its time. */
const DEFAULT_LIMIT_MS = 10 * 60_000;

type Target =
  | ({ readonly ok: true; readonly title: string } & LiveTarget)
  | { readonly ok: false; readonly title: string; readonly reason: string };

function targetOf(server: ServerProbe, { model, keyFor }: LiveOptions): Target {
  if (!server.ok) return { ok: false, title: server.baseUrl, reason: server.error.message };
  const chosen = chooseModel(server, model);
  const { name, baseUrl } = server satisfies FoundServer;
  if (!chosen.ok) return { ok: false, title: `${name} at ${baseUrl}`, reason: chosen.error.message };
  const title = `${name} at ${baseUrl}, model ${chosen.model}`;
  return { ok: true, title, baseUrl, model: chosen.model, apiKey: keyFor(baseUrl) };
}

async function outcomeOf(
  check: LiveCheck,
  target: LiveTarget,
  limitMs: number,
): Promise<{ readonly kind: keyof LiveCounts; readonly text: string }> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const outcome: CheckOutcome = await check.run(target, signal);
    if (signal.aborted) return { kind: 'failed', text: `took longer than ${limitMs / 60_000} minutes` };
    return outcome.kind === 'passed'
      ? { kind: 'passed', text: outcome.detail }
      : { kind: 'skipped', text: outcome.reason };
  } catch (error) {
    if (signal.aborted) return { kind: 'failed', text: `took longer than ${limitMs / 60_000} minutes` };
    return { kind: 'failed', text: messageOf(error) };
  }
}
