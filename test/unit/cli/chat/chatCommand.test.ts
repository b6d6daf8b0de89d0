import assert from 'node:assert/strict';
import type { ChatCommand } from '../../../../src/cli/chat/chatCommand';
import { describeCommands, readCommand } from '../../../../src/cli/chat/chatCommand';

const command = (name: string, argument?: string): ChatCommand => ({
  name,
  argument,
  about: `what ${name} does`,
  run: () => undefined,
});
const open = command('open', '[ID]');
const commands = [open, command('exit')];

describe('what is typed in a conversation', () => {
  for (const [text, expected] of [
    ['/open', { command: open, argument: '' }],
    ['/open  12 ', { command: open, argument: '12' }],
    ['/nothing', { unknown: 'nothing' }],
    ['/etc/hosts: what is it?', undefined],
    ['/open\nand more', undefined],
    ['open', undefined],
    ['//', undefined],
  ] as const) {
    it(`is read: ${JSON.stringify(text)}`, () => assert.deepEqual(readCommand(text, commands), expected));
  }

  it('is listed', () => {
    const [first, second] = describeCommands(commands).split('\n');
    assert.deepEqual([first, second], ['/open [ID]  what open does', '/exit       what exit does']);
  });
});
