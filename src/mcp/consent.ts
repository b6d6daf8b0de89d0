import { describeServer, hashOf } from './describeServer';
import type { McpServerConfig } from './serverConfig';

/** What a person said about a server. */
export interface Pin {
  /** Of the whole configuration, the values of variables and headers included. */
  readonly hash: string;
  /** What they were shown. */
  readonly description: string;
  /** They said: never. */
  readonly isRefused?: boolean | undefined;
}

/** Where pins are kept, by the server's name. */
export interface PinStore {
  get(server: string): Promise<Pin | undefined>;
  set(server: string, pin: Pin): Promise<void>;
}

/** What a person is asked before a server is used, and again when what it is has changed since. */
export interface ConsentQuestion {
  readonly server: string;
  readonly kind: McpServerConfig['kind'];
  /** What they allowed before; absent: nothing. */
  readonly before?: string | undefined;
  readonly after: string;
}

/** `allow` and `never` hold until the server's configuration changes, `not_now` for this process. */
export type ConsentAnswer = 'allow' | 'never' | 'not_now';

export interface ConsentParts {
  readonly pins: PinStore;
  /** Asks a person whether a server may be used. */
  readonly confirm: (question: ConsentQuestion) => Promise<ConsentAnswer>;
}

/** What was said about exactly this server. Rejects when that cannot be read. */
export async function knownConsent(
  config: McpServerConfig,
  { pins }: Pick<ConsentParts, 'pins'>,
): Promise<'allowed' | 'refused' | 'unknown'> {
  const pin = await pins.get(config.name);
  if (pin?.hash !== hashOf(config)) return 'unknown';
  return pin.isRefused ? 'refused' : 'allowed';
}

/** Asks, and keeps the answer where it is to last. Rejects when it could not be asked or kept. */
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
