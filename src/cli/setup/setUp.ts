import path from 'node:path';
import { findOffer, type SetUpOffer } from '../../localModel/setUp/offer';
import { becomesChosen, fetchChoice, type SetUpStep } from '../../localModel/setUp/fetchChoice';
import { listKept, removeKept } from '../../localModel/setUp/kept';
import { choiceOfFile, choiceOfUrl } from '../../localModel/setUp/ownModel';
import { fetchedBy, type SetUpChoice } from '../../localModel/setUp/setUpChoice';
import {
  choiceNeed,
  choiceOrigin,
  consentText,
  hardwareText,
  leftOutText,
  noChoiceText,
  noProgramText,
  stepText,
} from '../../localModel/setUp/setUpText';
import { SetUpError } from '../../localModel/download/setUpError';
import { sizeText } from '../../localModel/download/transferRate';
import { createFetch } from '../../sdk/model/http/httpTransport';
import { pullChoice } from '../../localModel/pull/pullChoice';
import { pullConsent, readPull } from '../../localModel/pull/pullModel';
import type { PullProgress } from '../../localModel/pull/pullOutput';
import { freeDiskBytes } from '../../localModel/machine/hardware';
import { takeExistingLease } from '../../localModel/run/keeperClient';
import { messageOf } from '../../util/errors';
import type { CliProcess } from '../cliProcess';
import { checkServer } from '../doctor';
import { exitCodes } from '../exitCodes';
import { isYes } from '../terminal/isYes';
import { safeTerminalText } from '../terminal/safeTerminalText';
import { openTerminal, type Terminal } from '../terminal/terminal';
import { environmentProxy } from './environmentProxy';
import { crashText, keepLocalModelFolder, localModelFolder, openLocalServer } from './localModel';
import type { SetupOptions } from './setupOptions';

/** Sets up a model on this machine: shows what fits, fetches it after a yes, starts it and checks it. Returns the exit code. */
export async function setUpModel(given: SetupOptions, cli: CliProcess): Promise<number> {
  const folder = given.folder === '' ? localModelFolder(cli) : path.resolve(cli.cwd, given.folder);
  if (given.isList) return list(folder, cli);
  if (given.remove !== undefined) return remove(folder, given.remove, cli);
  const hasTerminal = cli.stdin.isTTY === true && cli.stderr.isTTY === true;
  const terminal = hasTerminal ? openTerminal({ input: cli.stdin, output: cli.stderr }) : undefined;
  let isChosen = true;
  try {
    const choice = await choose(given, folder, cli, terminal);
    if (!choice) return given.isUpdate ? exitCodes.completed : exitCodes.wrongUsage;
    if (choice === 'unasked') return exitCodes.unasked;
    if (!(await mayFetch(choice, given, folder, cli, terminal))) return exitCodes.unasked;
    const say = stepWriter(cli);
    if (given.folder !== '') await keepLocalModelFolder(folder, cli);
    await fetchChoice(choice, { folder, fetch: downloadFetch(cli), signal: cli.signal, onStep: say });
    isChosen = becomesChosen(choice);
  } catch (error) {
    const isPaused = error instanceof SetUpError && error.code === 'paused';
    const way = isPaused ? ' Run the same command again to go on.' : '';
    cli.stderr.write(`\n${isPaused ? '' : 'Error: '}${safeTerminalText(messageOf(error))}${way}\n`);
    return isPaused || cli.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  } finally {
    terminal?.dispose();
  }
  if (isChosen) return startAndCheck(cli);
  cli.stderr.write('\nThe model was updated. Another one is in use.\n');
  return exitCodes.completed;
}

/** Through the proxy that the environment names. */
function downloadFetch({ env }: CliProcess): typeof fetch {
  return createFetch({ proxy: environmentProxy(env) });
}

async function choose(
  given: SetupOptions,
  folder: string,
  cli: CliProcess,
  terminal: Terminal | undefined,
): Promise<SetUpChoice | 'unasked' | undefined> {
  const { platform, env, homeDirectory: home, cwd, signal, stderr, stdout } = cli;
  const catalogue = given.catalogue === '' ? '' : path.resolve(cwd, given.catalogue);
  const program = given.program === '' ? '' : path.resolve(cwd, given.program);
  const offer = await findOffer({ platform, env, home, folder, catalogue, program });
  for (const problem of offer.problems) stderr.write(`Warning: ${safeTerminalText(problem)}\n`);
  const { program: source, hardware, choices } = offer;
  stdout.write(`This machine has ${safeTerminalText(hardwareText(hardware))}.\n`);
  if (!source) {
    stderr.write(`${noProgramText()}\n`);
    return undefined;
  }
  const { model } = given;
  if (/^https?:/i.test(model)) {
    stderr.write(`Asking ${safeTerminalText(new URL(model).host)} for the size and the header of the file.\n`);
    return choiceOfUrl(model, { hardware, program: source, fetch: downloadFetch(cli), signal });
  }
  const pull = readPull(model, offer.programs);
  if (pull) {
    stderr.write(`This will be fetched:\n${safeTerminalText(pullConsent(pull))}\n`);
    if (!(await isAllowed(given, cli, terminal))) return 'unasked';
    let shown = -1;
    const onProgress = ({ percent, text }: PullProgress): void => {
      if (stderr.isTTY === true) stderr.write(`\r\u001b[K${safeTerminalText(text)}`);
      else if (percent !== shown) stderr.write(`${percent} %\n`);
      shown = percent;
    };
    const machine = { platform, env, home, own: folder, hardware, program: source };
    return pullChoice(pull, machine, { env, signal, onProgress });
  }
  if (/\.gguf$/i.test(model)) return choiceOfFile(path.resolve(cwd, model), { hardware, program: source });
  if (given.isUpdate) return nextUpdate(offer, cli);
  printChoices(offer, cli);
  if (model !== '') {
    const named = choices.find(({ id, name }) => id === model || name === model);
    if (!named) stderr.write(`There is no model ${safeTerminalText(model)} in this list.\n`);
    return named;
  }
  if (choices.length === 0) return undefined;
  if (!terminal) {
    stderr.write('Name one with --model, or run this in a terminal.\n');
    return undefined;
  }
  for (;;) {
    const answer = await terminal.ask('Number of the model (Enter: none): ', { signal });
    if (!answer?.trim()) return undefined;
    const chosen = choices[Number(answer) - 1];
    if (chosen) return chosen;
  }
}

/** The update to make now: that of the model in use and its program first. */
function nextUpdate({ updates }: SetUpOffer, { stdout }: CliProcess): SetUpChoice | undefined {
  const [update] = updates;
  if (!update) stdout.write('There is no newer version of the model or its program in the catalogue.\n');
  return update;
}

function printChoices(offer: SetUpOffer, { stdout }: CliProcess): void {
  const { choices, updates, inUse } = offer;
  if (inUse && choices.every(({ isInUse }) => isInUse !== true)) {
    stdout.write(`${safeTerminalText(inUse.name)} is in use, and is none of the models below.\n`);
  }
  if (choices.length === 0) stdout.write(`${noChoiceText()} Name a GGUF file or its https address with --model.\n`);
  for (const [index, choice] of choices.entries()) {
    const { id, name } = choice;
    stdout.write(`${String(index + 1).padStart(3)}  ${safeTerminalText(name)}  [${safeTerminalText(id)}]\n`);
    stdout.write(`     ${safeTerminalText(`${choiceOrigin(choice)} · ${choiceNeed(choice)}`)}\n`);
  }
  const leftOut = leftOutText(offer);
  if (leftOut !== '') stdout.write(`${leftOut}.\n`);
  for (const { name, updates: what = '' } of updates) {
    stdout.write(`Update for ${safeTerminalText(name)}: ${safeTerminalText(what)}. Get it with --update.\n`);
  }
}

/** The question before anything is fetched. A model and program that are here need none. */
async function mayFetch(
  choice: SetUpChoice,
  given: SetupOptions,
  folder: string,
  cli: CliProcess,
  terminal: Terminal | undefined,
): Promise<boolean> {
  if (fetchedBy(choice).length === 0) return true;
  cli.stderr.write(`This will be fetched:\n${safeTerminalText(consentText(choice, folder))}\n`);
  return isAllowed(given, cli, terminal);
}

/** The yes of the person: by `--yes` or in the terminal. */
async function isAllowed(
  { isYes: isGiven }: SetupOptions,
  { stderr, signal }: CliProcess,
  terminal: Terminal | undefined,
): Promise<boolean> {
  if (isGiven) return true;
  if (terminal) return isYes(await terminal.ask('Fetch it? [y/N] ', { signal }));
  stderr.write('Nothing was fetched: add --yes to say yes.\n');
  return false;
}

/** One line that is written over in a terminal, and a line for each tenth otherwise. */
function stepWriter({ stderr }: CliProcess): (step: SetUpStep) => void {
  let shown = '';
  return (step) => {
    const text = safeTerminalText(stepText(step));
    if (stderr.isTTY === true) {
      stderr.write(`\r\u001b[K${text}`);
      return;
    }
    const line =
      step.kind === 'program' || step.kind === 'model'
        ? `${step.kind === 'program' ? 'llama-server' : 'model'}: ${Math.floor((step.doneBytes * 10) / step.totalBytes)}0 %`
        : text;
    if (line !== shown) stderr.write(`${line}\n`);
    shown = line;
  };
}

async function startAndCheck(cli: CliProcess): Promise<number> {
  const { stderr, signal } = cli;
  const server = openLocalServer(cli);
  try {
    stderr.write('\nStarting the model…\n');
    const status = await server.start(signal, { untilReady: true });
    if (status.kind !== 'ready') {
      const words = status.kind === 'failed' ? `${status.message}\n${status.lastWords}` : 'It was stopped.';
      stderr.write(`Error: The model cannot be started. ${safeTerminalText(words)}\n`);
      return exitCodes.failed;
    }
    const { baseUrl, key, crashed } = status;
    if (crashed !== undefined) stderr.write(`Warning: ${crashText(crashed)}\n`);
    const code = await checkServer({ kind: 'doctor', baseUrl, model: '', ca: '', key: { baseUrl, value: key } }, cli);
    stderr.write('\nThe model is set up. open-agent uses it whenever no other server is named.\n');
    return code;
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    stderr.write(`Error: ${safeTerminalText(messageOf(error))}\n`);
    return exitCodes.failed;
  } finally {
    server.dispose();
  }
}

async function list(folder: string, { stdout }: CliProcess): Promise<number> {
  const kept = await listKept(folder);
  if (kept.length === 0) stdout.write('Open Agent keeps no models or programs on this machine.\n');
  for (const { kind, name, bytes, isInUse } of kept) {
    stdout.write(
      `${kind.padEnd(10)} ${sizeText(bytes).padStart(9)}  ${safeTerminalText(name)}${isInUse ? ' (in use)' : ''}\n`,
    );
  }
  if (kept.length > 0) {
    const free = await freeDiskBytes(folder);
    const total = sizeText(kept.reduce((sum, { bytes }) => sum + bytes, 0));
    stdout.write(
      `Together ${total} in ${safeTerminalText(folder)}${free === undefined ? '' : `; ${sizeText(free)} are free`}.\n`,
    );
  }
  return exitCodes.completed;
}

async function remove(folder: string, name: string, { stdout, stderr }: CliProcess): Promise<number> {
  const item = (await listKept(folder)).find((one) => one.name === name);
  if (!item) {
    stderr.write(`Open Agent keeps nothing with the name ${safeTerminalText(name)}. See open-agent setup --list.\n`);
    return exitCodes.failed;
  }
  if (item.isInUse) await stopServer(folder);
  await removeKept(folder, item);
  stdout.write(`Removed ${safeTerminalText(name)}, ${sizeText(item.bytes)}.\n`);
  return exitCodes.completed;
}

/** Stops the model for all windows and commands, if it runs. */
async function stopServer(folder: string): Promise<void> {
  const lease = await takeExistingLease({ folder, onInternalError: () => {} });
  if (!lease) return;
  const stopped = new Promise<void>((resolve) => {
    lease.onChange((status) => void ((!status || status.kind === 'stopped') && resolve()));
  });
  lease.send({ type: 'stop' });
  await stopped;
  lease.dispose();
}
