import assert from 'node:assert/strict';
import { hideSockets, socketPaths } from '../../../../../src/workspace/node/confinement/hiddenSockets';

describe('hidden sockets', () => {
  it('are those with a path in /proc/net/unix', () => {
    const text = [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      '000000006809e5bb: 00000003 00000000 00000000 0001 03 1865036',
      '00000000f430b797: 00000002 00000000 00010000 0001 01   167 /run/dbus/system_bus_socket',
      '00000000f430b798: 00000002 00000000 00010000 0001 01 12345 /home/me/a b/s.sock',
      '00000000f430b799: 00000003 00000000 00000000 0001 03 12346 /run/dbus/system_bus_socket',
      '00000000f430b79a: 00000002 00000000 00010000 0001 01 12347 @/tmp/.X11-unix/X0',
      '00000000f430b79b: 00000002 00000000 00010000 0001 01 12348 relative.sock',
    ].join('\n');
    assert.deepEqual(socketPaths(text), ['/run/dbus/system_bus_socket', '/home/me/a b/s.sock']);
  });

  const entries: Readonly<Record<string, readonly { name: string; target?: string }[]>> = {
    '/h': [{ name: 'a' }, { name: 'l', target: 'a' }, { name: 's' }, { name: 'd' }],
    '/h/d': [{ name: 'b' }, { name: 't' }],
  };
  const hide = (sockets: readonly string[], covered: readonly string[] = []): string =>
    hideSockets(sockets, { covered, list: (folder) => entries[folder] ?? [] }).join(' ');

  it('lose their folder, whose other entries are shown again, outer folders first', () => {
    assert.equal(
      hide(['/h/d/t', '/h/s', '/run/x'], ['/run']),
      '--tmpfs /h --ro-bind-try /h/a /h/a --symlink a /h/l --ro-bind-try /h/d /h/d --tmpfs /h/d --ro-bind-try /h/d/b /h/d/b',
    );
  });

  it('lose the whole folder if it has very many entries', () => {
    const list = (): readonly { name: string }[] => Array.from({ length: 900 }, (_, index) => ({ name: `${index}` }));
    assert.deepEqual(hideSockets(['/h/s'], { covered: [], list }), ['--tmpfs', '/h']);
  });

  it('prevent the command if they are in the root folder', () => {
    assert.throws(() => hide(['/s']), /The socket \/s cannot be hidden/);
  });
});
