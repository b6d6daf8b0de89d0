import type { Turn } from '../../servers/modelServer';
import type { Seed } from './seed';

/** Damaged streams. The person allows `evil`, and each stream once asked for it. */
export const streamSeeds: readonly Seed[] = [
  {
    ...stream('a whole call, which does run', [
      call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil all"}' }),
      finish('tool_calls'),
      'data: [DONE]\n\n',
    ]),
    allowed: { programs: /^evil all / },
    mustRun: 'evil all',
  },
  stream('a chunk lost in the middle of arguments', [
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil ' }),
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"argu\n\n',
    call({ text: 'all"}' }),
    finish('tool_calls'),
    'data: [DONE]\n\n',
  ]),
  stream('a call after the end of the answer', [
    text('Done.'),
    finish('tool_calls'),
    'data: [DONE]\n\n',
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil late"}' }),
    finish('tool_calls'),
  ]),
  stream('arguments without their closing brace at a cut', [
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil clean"' }),
  ]),
  stream('a second call after the end of the answer', [
    call({ id: 'c1', name: 'read_file', text: '{"path": "a.txt"}' }),
    'data: [DONE]\n\n',
    call({ index: 1, id: 'c2', name: 'run_terminal_command', text: '{"command": "evil late"}' }),
  ]),
  stream('arguments without their closing brace before the end of the answer', [
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil clean"' }),
    'data: [DONE]\n\n',
  ]),
  stream('arguments without their closing brace before another call', [
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil clean"' }),
    call({ index: 1, id: 'c2', name: 'read_file', text: '{"path": "a.txt"}' }),
    finish('length'),
    'data: [DONE]\n\n',
  ]),
  stream(
    'a broken connection inside arguments',
    [call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "evil clean"' })],
    true,
  ),
];

function stream(name: string, writes: readonly string[], cut = false): Seed {
  // In one piece, so that what follows the end marker arrives with it.
  const turn: Turn = { kind: 'raw', writes: [writes.join('')], cut };
  return {
    name,
    given: () => ({ way: 'headless', mode: 'ask', allow: ['evil *'], calls: [], turns: [turn] }),
  };
}

function chunk(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}

interface CallChunk {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly text: string;
}

function call({ index = 0, id, name, text }: CallChunk): string {
  const head = { ...(id !== undefined && { id, type: 'function' }) };
  return chunk({
    tool_calls: [{ index, ...head, function: { ...(name !== undefined && { name }), arguments: text } }],
  });
}

function text(content: string): string {
  return chunk({ role: 'assistant', content });
}

function finish(reason: string): string {
  return chunk({}, reason);
}
