import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What the program writes down about each of its starts. */
export interface FakeStart {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly key: string;
  /** Names of its environment. */
  readonly env: readonly string[];
}

/**
 * Writes a program that starts as llama-server does. What it does is in the file of its model: `ok`, `crash` (while loading),
 * `crash once`, `slow` (loads until it is ended), or `hold once` (its first start never ends an answer).
 */
export async function writeFakeLlamaServer(folder: string): Promise<{
  readonly program: string;
  readonly starts: () => Promise<readonly FakeStart[]>;
}> {
  const program = path.join(folder, 'llama-server');
  const log = path.join(folder, 'starts.jsonl');
  await writeFile(program, `#!${process.execPath}\nconst log = ${JSON.stringify(log)};\n${script}`);
  await chmod(program, 0o755);
  await writeFile(log, '');
  return {
    program,
    starts: async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as FakeStart),
  };
}

const script = `
const fs = require('node:fs');
const http = require('node:http');
const argv = process.argv.slice(2);
if (argv.includes('--list-devices')) {
  console.log('Available devices:');
  process.exit(0);
}
const option = (name) => argv[argv.indexOf(name) + 1];
const key = process.env.LLAMA_API_KEY;
const earlier = fs.readFileSync(log, 'utf8').split('\\n').filter(Boolean).length;
fs.appendFileSync(log, JSON.stringify({ pid: process.pid, argv, key, env: Object.keys(process.env) }) + '\\n');
const behaviour = fs.readFileSync(option('--model'), 'utf8').trim();
console.error('loading ' + option('--alias'));
if (behaviour === 'crash' || (behaviour === 'crash once' && earlier === 0)) {
  console.error('error: out of memory');
  process.exit(3);
}
let task = 0;
const from = Date.now();
http.createServer((request, response) => {
  const json = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const isReady = behaviour !== 'slow' && Date.now() - from > 200;
  if (request.url === '/health') return isReady ? json(200, { status: 'ok' }) : json(503, { error: { code: 503 } });
  if (request.headers.authorization !== 'Bearer ' + key) return json(401, { error: { code: 401 } });
  if (request.url === '/slots') return json(200, [{ id: 0, id_task: task, is_processing: false }]);
  task += 1;
  if (request.url === '/v1/chat/completions') {
    const chunk = (delta, finish_reason) => 'data: ' + JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }) + '\\n\\n';
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (behaviour === 'hold once' && earlier === 0) return response.write(chunk({ role: 'assistant', content: 'Hello' }, null));
    response.end(chunk({ role: 'assistant', content: 'Hello from ' + option('--alias') }, null) + chunk({}, 'stop') + 'data: [DONE]\\n\\n');
    return;
  }
  json(200, { object: 'list', data: [{ id: option('--alias'), object: 'model' }] });
}).listen(Number(option('--port')), '127.0.0.1');
`;
