import { startHere } from '../../support/commandLine/startHere';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

/** What a client of the endpoint got. */
export interface ClientAnswer {
  readonly mark: string;
  readonly text: string;
  /** The message of an error, in the stream or as the answer. */
  readonly error?: string | undefined;
}

export interface ServedGateway extends AsyncDisposable {
  /** Asks the agent as a program would. `onText` is called with each piece. */
  ask(mark: string, onText?: () => void): Promise<ClientAnswer>;
}

/** `open-agent serve` with a gateway as its model server. */
export async function serveGateway(baseUrl: string, apiKey: string, clients: number): Promise<ServedGateway> {
  const folder = await createTemporaryFolder({ 'notes.txt': 'Nothing.\n' });
  const home = await createTemporaryFolder();
  const server = ['--base-url', baseUrl, '--model', 'coder', '--api-key', apiKey];
  const cli = startHere(['serve', ...server, '--port', '0', '--max-runs', String(clients)], {
    folder: folder.path,
    home: home.path,
  });
  await cli.stdout.shows('Token: ');
  await cli.stdout.shows('\n');
  const address = /at (http:\S+?),/.exec(cli.stdout.text)?.[1] ?? '';
  const token = /Token: (\S+)/.exec(cli.stdout.text)?.[1] ?? '';
  return {
    ask: (mark, onText) => ask(address, token, mark, onText),
    async [Symbol.asyncDispose]() {
      cli.stop();
      await cli.exitCode;
      await folder.dispose();
      await home.dispose();
    },
  };
}

async function ask(address: string, token: string, mark: string, onText: () => void = () => {}): Promise<ClientAnswer> {
  const response = await fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'open-agent', stream: true, messages: [{ role: 'user', content: `Say ${mark}.` }] }),
  });
  let [text, error, rest] = ['', undefined as string | undefined, ''];
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    const lines = (rest + decoder.decode(part as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const chunk = JSON.parse(line.slice('data: '.length)) as Chunk;
      error ??= chunk.error?.message;
      const piece = chunk.choices?.[0]?.delta?.content ?? '';
      if (piece !== '') onText();
      text += piece;
    }
  }
  if (!response.ok) error = `${response.status} ${rest}`;
  return { mark, text, error };
}

interface Chunk {
  readonly error?: { readonly message: string };
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
}
