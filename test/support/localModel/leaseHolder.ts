// A window as a process of its own, for tests that kill it: `node leaseHolder.js FOLDER KEEPER`. Prints its address when ready.
import { LocalServer } from '../../../src/localModel/run/localServer';

const [folder = '', file = ''] = process.argv.slice(2);
const server = new LocalServer({
  folder: () => folder,
  program: { file, graceMs: 300, pollMs: 50 },
  idleMs: () => 0,
  onInternalError: (error) => console.error(error),
});
server.start(AbortSignal.timeout(50_000), { untilReady: true }).then(
  (status) => console.log(JSON.stringify(status)),
  (error: unknown) => console.error(error),
);
