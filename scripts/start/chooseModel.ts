import * as z from 'zod';
import { startPracticeModel } from '../practiceModel/server';

/** The model server for the editor. */
export interface ModelChoice {
  readonly baseUrl: string;
  /** Undefined: the extension uses the server's first model. */
  readonly model: string | undefined;
  /** One line for the person. */
  readonly description: string;
  /** Ends the practice model, if it was started. */
  dispose(): Promise<void>;
}

export interface ModelWishes {
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
  /** Use the practice model even if a server runs. */
  readonly practice: boolean;
}

/** The default ports of model servers. */
const usualServers: readonly LocalServer[] = [
  { name: 'llama.cpp', port: 8080 },
  { name: 'LM Studio', port: 1234 },
  { name: 'Ollama', port: 11434 },
  { name: 'vLLM', port: 8000 },
];

interface LocalServer {
  readonly name: string;
  readonly port: number;
}

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });
const probeLimitMs = 1500;

/** The named server, else a server on this machine, else the practice model, which this starts. */
export async function chooseModel(
  wishes: ModelWishes,
  report: (line: string) => void,
  servers: readonly LocalServer[] = usualServers,
): Promise<ModelChoice> {
  if (!wishes.practice) {
    if (wishes.baseUrl !== undefined) return namedServer(wishes.baseUrl, wishes.model, report);
    const found = await findLocalServer(wishes.model, servers);
    if (found !== undefined) return found;
    report(
      'No model server answers on the usual local ports: starting the practice model, which is a script and no AI.',
    );
  }
  const practice = await startPracticeModel();
  return {
    baseUrl: practice.baseUrl,
    model: practice.model,
    description: `practice model (a script, no AI) at ${practice.baseUrl}`,
    dispose: () => practice.dispose(),
  };
}

async function namedServer(
  baseUrl: string,
  model: string | undefined,
  report: (line: string) => void,
): Promise<ModelChoice> {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new Error(`"${baseUrl}" is no http or https address. An example: --base-url http://127.0.0.1:8080/v1`);
  }
  if ((await listModels(baseUrl)) === undefined) {
    report(`No list of models came from ${baseUrl} (yet, or without a key). The editor opens with it all the same.`);
  }
  return choice(baseUrl, model, `${model ?? 'its first model'} at ${baseUrl}`);
}

async function findLocalServer(
  model: string | undefined,
  servers: readonly LocalServer[],
): Promise<ModelChoice | undefined> {
  const found = await Promise.all(
    servers.map(async ({ name, port }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      return { name, baseUrl, models: await listModels(baseUrl) };
    }),
  );
  for (const { name, baseUrl, models = [] } of found) {
    const chosen = model ?? models[0];
    if (chosen !== undefined && models.includes(chosen)) {
      return choice(baseUrl, chosen, `${chosen} at ${baseUrl} (found on the usual port of ${name})`);
    }
  }
  return undefined;
}

/** Undefined if the server does not answer in time with a list of models. */
async function listModels(baseUrl: string): Promise<readonly string[] | undefined> {
  const root = baseUrl.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  try {
    const response = await fetch(`${/\/v\d+$/.test(root) ? root : `${root}/v1`}/models`, {
      signal: AbortSignal.timeout(probeLimitMs),
    });
    const list = response.ok ? ModelList.safeParse(await response.json()) : undefined;
    return list?.data?.data.map((entry) => entry.id);
  } catch {
    // Refused, too slow or no JSON: not a usable model server.
    return undefined;
  }
}

function choice(baseUrl: string, model: string | undefined, description: string): ModelChoice {
  return { baseUrl, model, description, dispose: () => Promise.resolve() };
}
