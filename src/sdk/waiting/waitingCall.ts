import { newSha256 } from '../../util/sha256';
import type { JsonObject, JsonValue } from '../../util/json';
import { messageOf } from '../../util/errors';
import { plainJson, stableJson } from './plainJson';

/** A call that waits for an answer, as plain JSON. */
export interface WaitingCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  /** What the tool prepared. Absent: the tool made no plan. */
  readonly plan?: JsonValue | undefined;
  /** The tool only asks to read: `plan` is what it wants to read. Another question about the plan may follow. */
  readonly isReading?: true | undefined;
  /** SHA-256 of the fields above. An answer holds only for the call with this hash. */
  readonly planHash: string;
}

/** A call before its plan is known to be plain JSON. */
interface DecidedCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly plan?: unknown;
  readonly isReading?: true | undefined;
}

/** The most characters of a plan, or of arguments. */
const MAX_PLAN_SIZE = 4_000_000;

/** Describes a call with its hash. Throws an `Error` that says why when its arguments or its plan are not plain JSON. */
export function describeWaiting({ toolUseId, toolName, input, plan, isReading }: DecidedCall): WaitingCall {
  const call = {
    toolUseId,
    toolName,
    input: copyOf('its arguments', input) as JsonObject,
    ...(plan !== undefined && { plan: copyOf('its plan', plan) }),
    ...(isReading && { isReading }),
  };
  return {
    ...call,
    planHash: newSha256()
      .update(stableJson(['waiting call 1', call]))
      .digest('hex'),
  };
}

function copyOf(what: string, value: unknown): JsonValue {
  try {
    return plainJson(value, MAX_PLAN_SIZE);
  } catch (cause) {
    throw new Error(`${what} cannot be saved, because ${messageOf(cause)}`, { cause });
  }
}
