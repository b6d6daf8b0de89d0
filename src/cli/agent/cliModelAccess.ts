import path from 'node:path';
import { openModelAccess, type ModelAccess } from '../../agent/servers/access/modelAccess';
import type { QuirkStore } from '../../agent/servers/learnedQuirks';
import { messageOf } from '../../util/errors';
import type { AgentArguments } from '../arguments/resolveArguments';
import type { CliProcess } from '../cliProcess';

/**
 * The access to model servers, with the key and certificate authority of the arguments. Learned quirks are kept in a
 * file.
 */
export async function openCliModelAccess(
  { key, ca, ownServer }: Pick<AgentArguments, 'key' | 'ca' | 'ownServer'>,
  { cwd, stderr }: Pick<CliProcess, 'cwd' | 'stderr'>,
  quirkStore: QuirkStore,
): Promise<ModelAccess> {
  const access = openModelAccess({
    certificateAuthority: () => (ca === '' ? '' : path.resolve(cwd, ca)),
    quirkStore,
    ownServer,
    onInternalError: (error) => stderr.write(`Warning: What the server rejects is not kept: ${messageOf(error)}\n`),
  });
  const kept = key && (await access.keys.set(key.baseUrl, key.value));
  if (kept?.ok === false) stderr.write(`Warning: The API key is not used: ${kept.error}\n`);
  return access;
}
