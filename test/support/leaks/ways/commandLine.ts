import { startHere } from '../../commandLine/startHere';
import type { LeakCase, Observation } from '../leakCase';
import { PROMPT_TEXT, type RunWay, type WayParts } from './way';

/** The flags of every start of the command line. */
export function commandLineFlags(
  { mode, allow = [], way }: Pick<LeakCase, 'mode' | 'allow' | 'way'>,
  { server, world }: WayParts,
): readonly string[] {
  return [
    ...['--base-url', server.baseUrl, '--model', 'm', '--cwd', world.workspace, '--permission-mode', mode],
    ...allow.flatMap((rule) => ['--allow', rule]),
    ...(way === 'confined' ? ['--confine', 'workspace'] : []),
  ];
}

/** The command line without a terminal: nobody can be asked. */
export const runHeadless: RunWay = async (given, parts) => {
  const { world } = parts;
  const cli = startHere([...commandLineFlags(given, parts), '-p', given.prompt ?? PROMPT_TEXT], {
    folder: world.workspace,
    home: world.home,
    isTerminal: false,
  });
  cli.endInput();
  await cli.exitCode;
  return { offers: offersIn(cli.stderr.text), log: cli.stdout.text + cli.stderr.text, questions: [] };
};

/** The command line in a terminal, with a person who denies everything. */
export const runInTerminal: RunWay = async (given, parts) => {
  const { world } = parts;
  const cli = startHere([...commandLineFlags(given, parts), '-p', given.prompt ?? PROMPT_TEXT], {
    folder: world.workspace,
    home: world.home,
  });
  let isOver = false;
  const ended = cli.exitCode.finally(() => (isOver = true));
  const answering = (async () => {
    while (!isOver) {
      try {
        // Every question has this answer: about a call, and about a file that a prompt names.
        await cli.stderr.shows('[n]o');
      } catch {
        // The program ended without another question.
        return;
      }
      cli.type('n\n');
    }
  })();
  await ended;
  await answering;
  // The person may see a file in a question, and standard output is what a pipe gets.
  return { offers: offersIn(cli.stderr.text), log: cli.stdout.text, questions: [] };
};

function offersIn(text: string): Observation['offers'] {
  return [...text.matchAll(/“Always” allows exactly: (.*)/g)].map(([, offer = '']) => offer);
}
