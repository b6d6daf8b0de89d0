// The keeper as a process of its own: `node keeperProcess.js FOLDER GRACE_MS POLL_MS`.
import { keep } from './keeper';

const [folder = '', graceMs = '', pollMs = ''] = process.argv.slice(2);
process.title = 'open-agent-keeper';

keep({ folder, graceMs: Number(graceMs), pollMs: Number(pollMs) }).then(
  () => process.exit(0),
  () => process.exit(1),
);
