import type { Turn } from '../../servers/modelServer';
import type { Seed } from './seed';

/** Damaged streams. The person allows `make`, and each stream once asked for it. */
export const streamSeeds: readonly Seed[] = [
  stream('a chunk lost in the middle of arguments', [
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "make ' }),
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"argu\n\n',
    call({ text: 'all"}' }),
    finish('tool_calls'),
    'data: [DONE]\n\n',
  ]),
  stream('a call after the end of the answer', [
    text('Done.'),
    finish('stop'),
    'data: [DONE]\n\n',
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "make late"}' }),
    finish('tool_calls'),
  ]),
  stream('arguments without their closing brace at a cut', [
    call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "make clean"' }),
  ]),
  stream(
    'a broken connection inside arguments',
    [call({ id: 'c1', name: 'run_terminal_command', text: '{"command": "make clean"' })],
    true,
  ),
];

function stream(name: string, writes: readonly string[], cut = false): Seed {
  const turn: Turn = { kind: 'raw', writes, cut };
  return {
    name,
    given: () => ({ way: 'headless', mode: 'ask', allow: ['make *'], calls: [], turns: [turn] }),
  };
}

function chunk(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}

function call({ id, name, text }: { readonly id?: string; readonly name?: string; readonly text: string }): string {
  const head = { ...(id !== undefined && { id, type: 'function' }) };
  return chunk({
    tool_calls: [{ index: 0, ...head, function: { ...(name !== undefined && { name }), arguments: text } }],
  });
}

function text(content: string): string {
  return chunk({ role: 'assistant', content });
}

function finish(reason: string): string {
  return chunk({}, reason);
}
