import { describeServer, hashOf } from './describeServer';
import type { McpServerConfig } from './serverConfig';

/** A person's decision on a server. */
export interface Pin {
  /** Covers the whole configuration, with the values of variables and headers. */
  readonly hash: string;
  /** The description that the person saw. */
  readonly description: string;
  /** The person chose "never". */
  readonly isRefused?: boolean | undefined;
}

/** Keeps pins by the server's name. */
export interface PinStore {
  get(server: string): Promise<Pin | undefined>;
  set(server: string, pin: Pin): Promise<void>;
}

/** The question before a server is used, and again when its configuration has changed. */
export interface ConsentQuestion {
  readonly server: string;
  readonly kind: McpServerConfig['kind'];
  /** The description that was allowed before. Absent: none. */
  readonly before?: string | undefined;
  readonly after: string;
}

/** `allow` and `never` hold until the server's configuration changes, `not_now` until the process ends. */
export type ConsentAnswer = 'allow' | 'never' | 'not_now';

export interface ConsentParts {
  readonly pins: PinStore;
  /** Asks a person whether a server may be used. */
  readonly confirm: (question: ConsentQuestion) => Promise<ConsentAnswer>;
}

/** The decision on exactly this configuration. Rejects when it cannot be read. */
export async function knownConsent(
  config: McpServerConfig,
  { pins }: Pick<ConsentParts, 'pins'>,
): Promise<'allowed' | 'refused' | 'unknown'> {
  const pin = await pins.get(config.name);
  if (pin?.hash !== hashOf(config)) return 'unknown';
  return pin.isRefused ? 'refused' : 'allowed';
}

/** Asks, and keeps `allow` and `never`. Rejects when asking or keeping fails. */
export async function askForConsent(config: McpServerConfig, { pins, confirm }: ConsentParts): Promise<ConsentAnswer> {
  const before = await pins.get(config.name);
  const description = describeServer(config);
  const answer = await confirm({
    server: config.name,
    kind: config.kind,
    after: description,
    ...(before && !before.isRefused && { before: before.description }),
  });
  if (answer === 'not_now') return answer;
  const hash = hashOf(config);
  await pins.set(config.name, { hash, description, ...(answer === 'never' && { isRefused: true }) });
  return answer;
}
