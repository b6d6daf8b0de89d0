import { version } from '../../package.json';
import { parseArguments } from './arguments';
import type { CliProcess } from './cliProcess';
import { readCliSettings } from './cliSettings';
import { dataFolderIn } from './dataFolder';
import { checkServer } from './doctor';
import { run } from './run';
import { exitCodes } from './runPrompt';
import { serveFolder } from './serve';
import { usage } from './usage';

/** The command line, from arguments to exit code. */
export async function main(cli: CliProcess): Promise<number> {
  const { argv, env, stdout, stderr } = cli;
  const settings = await readCliSettings(dataFolderIn(cli.homeDirectory).settingsFile);
  if (!settings.ok) {
    stderr.write(`${settings.message}\n`);
    return exitCodes.wrongUsage;
  }
  const parsed = parseArguments(argv, env, settings.values);
  switch (parsed.kind) {
    case 'help':
      stdout.write(usage);
      return exitCodes.completed;
    case 'version':
      stdout.write(`open-agent ${version}\n`);
      return exitCodes.completed;
    case 'wrong':
      stderr.write(`${parsed.message}\nSee open-agent --help.\n`);
      return exitCodes.wrongUsage;
    case 'run':
      for (const problem of settings.problems) stderr.write(`Warning: ${problem}\n`);
      return run(parsed, settings.values, cli);
    case 'serve':
      for (const problem of settings.problems) stderr.write(`Warning: ${problem}\n`);
      return serveFolder(parsed, settings.values, cli);
    case 'doctor':
      return checkServer(parsed, cli);
    default:
      return parsed satisfies never;
  }
}
