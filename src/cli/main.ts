import path from 'node:path';
import { version } from '../../package.json';
import { resolveArguments } from './arguments/resolveArguments';
import type { CliProcess } from './cliProcess';
import { readCliSettings } from './arguments/cliSettings';
import { dataFolderIn } from './arguments/dataFolder';
import { checkServer } from './doctor';
import { exitCodes } from './exitCodes';
import { parseFlags } from './arguments/flags';
import { run } from './run';
import { serveFolder } from './serve';
import { usage } from './arguments/usage';

/** Runs the command line. Returns the exit code. */
export async function main(cli: CliProcess): Promise<number> {
  const { argv, env, cwd, stdout, stderr } = cli;
  const flags = parseFlags(argv);
  switch (flags.kind) {
    case 'help':
      stdout.write(usage);
      return exitCodes.completed;
    case 'version':
      stdout.write(`open-agent ${version}\n`);
      return exitCodes.completed;
    case 'wrong':
      return wrongUsage(flags.message, cli);
    case 'flags':
      break;
    default:
      return flags satisfies never;
  }
  if (cli.homeDirectory === '') {
    stderr.write('There is no home folder to keep sessions in. Set HOME to an absolute path.\n');
    return exitCodes.wrongUsage;
  }
  const named = flags.values.settings ?? env['OPEN_AGENT_SETTINGS']?.trim();
  const settings = await readCliSettings(
    named ? path.resolve(cwd, named) : dataFolderIn(cli.homeDirectory).settingsFile,
    { isUsual: !named },
  );
  if (!settings.ok) {
    stderr.write(`${settings.message}\n`);
    return exitCodes.wrongUsage;
  }
  const given = resolveArguments(flags, env, settings.values);
  if (given.kind === 'wrong') return wrongUsage(given.message, cli);
  for (const problem of settings.problems) stderr.write(`Warning: ${problem}\n`);
  switch (given.kind) {
    case 'run':
      return run(given, settings.values, cli);
    case 'serve':
      return serveFolder(given, settings.values, cli);
    case 'doctor':
      return checkServer(given, cli);
    default:
      return given satisfies never;
  }
}

function wrongUsage(message: string, { stderr }: CliProcess): number {
  stderr.write(`${message}\nSee open-agent --help.\n`);
  return exitCodes.wrongUsage;
}
