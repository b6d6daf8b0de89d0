import path from 'node:path';
import type { CliProcess } from './cliProcess';
import { dataFolderIn } from './arguments/dataFolder';
import { exitCodes } from './exitCodes';
import { parseFlags } from './arguments/flags';
import { printed } from './arguments/printed';
import { readCliSettings } from './arguments/cliSettings';
import { resolveArguments } from './arguments/resolveArguments';
import { checkServer } from './doctor';
import { run } from './run';
import { serveFolder } from './serve';
import { withLocalModel } from './setup/localModel';

/** Runs the command line. Returns the exit code. */
export async function main(cli: CliProcess): Promise<number> {
  const { argv, env, cwd, stdout } = cli;
  const flags = parseFlags(argv);
  switch (flags.kind) {
    case 'help':
    case 'version':
      stdout.write(printed[flags.kind]);
      return exitCodes.completed;
    case 'wrong':
      return wrongUsage(flags.message, cli);
    case 'flags':
      break;
    default:
      return flags satisfies never;
  }
  if (cli.homeDirectory === '') {
    cli.stderr.write('There is no home folder to keep sessions in. Set HOME to an absolute path.\n');
    return exitCodes.wrongUsage;
  }
  const named = flags.values.settings ?? env['OPEN_AGENT_SETTINGS']?.trim();
  const settings = await readCliSettings(
    named ? path.resolve(cwd, named) : dataFolderIn(cli.homeDirectory).settingsFile,
    { isUsual: !named },
  );
  if (!settings.ok) {
    cli.stderr.write(`${settings.message}\n`);
    return exitCodes.wrongUsage;
  }
  const given = resolveArguments(flags, env, settings.values);
  if (given.kind === 'wrong') return wrongUsage(given.message, cli);
  for (const problem of settings.problems) cli.stderr.write(`Warning: ${problem}\n`);
  switch (given.kind) {
    case 'run':
      return run(await withLocalModel(given, cli), settings.values, cli);
    case 'serve':
      return serveFolder(await withLocalModel(given, cli), settings.values, cli);
    case 'doctor':
      return checkServer(await withLocalModel(given, cli), cli);
    case 'exam': {
      const { examineModels } = await import('./exam');
      return examineModels(await withLocalModel(given, cli), settings.values, cli);
    }
    case 'setup': {
      const { setUpModel } = await import('./setup/setUp');
      return setUpModel(given, cli);
    }
    default:
      return given satisfies never;
  }
}

function wrongUsage(message: string, { stderr }: CliProcess): number {
  stderr.write(`${message}\nSee open-agent --help.\n`);
  return exitCodes.wrongUsage;
}
