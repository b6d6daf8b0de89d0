/** The ports that model servers usually have. They are those of `usualPorts` of the agent; a test compares them. */
export const laptopPorts: readonly number[] = [8080, 1234, 11434, 8000, 5001, 1337, 5000, 30000, 4891];

/** The origins on the laptop that answer as a model server does, or want a key. Never rejects. */
export async function findServers(send: typeof fetch, signal: AbortSignal): Promise<readonly string[]> {
  const found = await Promise.all(
    laptopPorts.map(async (port) => {
      const origin = `http://localhost:${port}`;
      try {
        const headers = { accept: 'application/json' };
        const response = await send(`${origin}/v1/models`, { headers, redirect: 'manual', signal });
        const { status } = response;
        const type = response.headers.get('content-type') ?? '';
        await response.body?.cancel();
        return status === 401 || (response.ok && type.includes('json')) ? [origin] : [];
      } catch {
        // Nothing listens there, or it does not answer in time.
        return [];
      }
    }),
  );
  return found.flat();
}
