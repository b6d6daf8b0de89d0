import { startHere } from '../../commandLine/startHere';
import { commandLineFlags } from './commandLine';
import { PROMPT_TEXT, type RunWay } from './way';

/** A program that uses the agent over HTTP. */
export const runThroughEndpoint: RunWay = async (given, parts) => {
  const { world } = parts;
  const cli = startHere(['serve', '--port', '0', ...commandLineFlags(given, parts)], {
    folder: world.workspace,
    home: world.home,
    isTerminal: false,
  });
  await cli.stdout.shows('Token: ');
  await cli.stdout.shows('\n');
  const [, baseUrl = ''] = /at (http\S+),/.exec(cli.stdout.text) ?? [];
  const [, token = ''] = /Token: (\S+)/.exec(cli.stdout.text) ?? [];
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'open-agent',
      stream: true,
      messages: [{ role: 'user', content: given.prompt ?? PROMPT_TEXT }],
    }),
  });
  const answer = await response.text();
  cli.stop();
  await cli.exitCode;
  return { offers: [], log: answer + cli.stdout.text + cli.stderr.text, questions: [] };
};
