import { readdir, readFile } from 'node:fs/promises';

/** The process ids of the extension hosts of a VS Code server. Works on Linux only, like these tests. */
export async function extensionHostsOf(serverDataDir: string): Promise<readonly number[]> {
  const all = await listProcesses();
  const servers = new Set(all.filter(({ line }) => line.includes(serverDataDir)).map(({ pid }) => pid));
  const isBelow = (pid: number): boolean => {
    const parent = all.find((one) => one.pid === pid)?.parent ?? 0;
    return servers.has(parent) || (parent > 1 && isBelow(parent));
  };
  return all.filter(({ pid, line }) => line.includes('extensionHost') && isBelow(pid)).map(({ pid }) => pid);
}

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

async function listProcesses(): Promise<readonly ProcessLine[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid): Promise<readonly ProcessLine[]> => {
      try {
        const [stat, line] = await Promise.all([
          readFile(`/proc/${pid}/stat`, 'latin1'),
          readFile(`/proc/${pid}/cmdline`, 'utf8'),
        ]);
        // The format is "pid (name) state parent …". The name may contain any character.
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return [{ pid, parent, line }];
      } catch (error) {
        // The process ended meanwhile.
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ESRCH') return [];
        throw error;
      }
    }),
  );
  return found.flat();
}
