import { findHomeDirectory } from './arguments/homeDirectory';
import { main } from './main';
import { messageOf } from '../util/errors';

// A key among the flags is not for everybody who lists processes, nor for the commands that the agent runs.
process.title = 'open-agent';

const stopping = new AbortController();
// Once: a second Ctrl+C ends the process at once, as the system does by default.
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());
// The terminal was closed: what runs in process groups of its own would go on without anybody.
process.once('SIGHUP', () => stopping.abort());
// Whoever read the answer has gone (`open-agent … | head`): nobody waits for the rest.
process.stdout.on('error', () => stopping.abort());

main({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  homeDirectory: findHomeDirectory(),
  platform: process.platform,
  // Node opens a stream when it is first used.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  get stderr() {
    return process.stderr;
  },
  signal: stopping.signal,
  exit: (exitCode) => process.exit(exitCode),
}).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(`Error: ${messageOf(error)}`);
    process.exitCode = 1;
  },
);
