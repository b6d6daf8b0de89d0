import { download } from '../../../src/localModel/download/download';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';

/** Downloads one file, in a process that a test kills: `url`, `bytes`, `sha256`, `target`. */
const [url = '', bytes = '', sha256 = '', target = ''] = process.argv.slice(2);

download({
  url,
  bytes: Number(bytes),
  sha256,
  target,
  fetch: createFetch(),
  signal: new AbortController().signal,
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
