import type { Socket } from 'node:net';

/** Calls `onLine` for each line of a socket. Destroys the socket when a line is too long. */
export function readLines(socket: Socket, maxLength: number, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLength || lines.some((line) => line.length > maxLength)) {
      socket.destroy();
      return;
    }
    for (const line of lines) onLine(line);
  });
}
