// `npm start` opens the agent in a real VS Code. See the usage below.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './process';
import { projectRoot } from './projectRoot';
import { chooseModel } from './start/chooseModel';
import { openDesktop, openServer } from './start/openEditor';
import { copySampleWorkspace, requireFolder } from './start/prepareFolder';
import { findDesktop } from './vscode/findDesktop';
import { messageOf } from '../src/util/errors';

const usage = `Usage: npm start -- [options]

  --base-url URL     the model server (or set OPEN_AGENT_BASE_URL); otherwise one found on the usual local ports,
                     otherwise the practice model
  --model NAME       the model; otherwise the server's first
  --practice         the practice model: a script, no AI
  --workspace DIR    the folder to open; otherwise a fresh copy of the sample workspace
  --server           the VS Code server for the browser, even where a desktop editor is installed
  --port N           the port of the VS Code server
  --no-build         opens what was built last
  --help`;

type Flags = ReturnType<typeof parseFlags>;

function parseFlags() {
  return parseArgs({
    options: {
      'base-url': { type: 'string' },
      model: { type: 'string' },
      practice: { type: 'boolean', default: false },
      workspace: { type: 'string' },
      server: { type: 'boolean', default: false },
      port: { type: 'string' },
      'no-build': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

/** Functions that end the started processes, to call in reverse order. */
const started: (() => Promise<void>)[] = [];

async function endEverything(): Promise<void> {
  for (const end of started.splice(0).toReversed()) await end();
}

let isEnding = false;

/** A signal is the normal end of this command. */
function endOnSignal(signal: NodeJS.Signals, exitCode: number): void {
  process.on(signal, () => {
    if (isEnding) return;
    isEnding = true;
    console.log('\nEnding what was started ...');
    endEverything().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

/** Opens the editor. Resolves when it ends: undefined if the person closed it, else the cause. */
async function start(values: Flags): Promise<string | undefined> {
  const folder = values.workspace === undefined ? await copySampleWorkspace() : await requireFolder(values.workspace);
  if (!values['no-build']) {
    console.log('Building the extension ...');
    await runCommand(process.execPath, [path.join(projectRoot, 'esbuild.js')], { cwd: projectRoot, show: true });
  }
  const environmentUrl = process.env['OPEN_AGENT_BASE_URL'];
  const model = await chooseModel(
    {
      baseUrl: values['base-url'] ?? (environmentUrl === '' ? undefined : environmentUrl),
      model: values.model,
      practice: values.practice,
    },
    console.log,
  );
  started.push(() => model.dispose());

  const desktop = values.server ? undefined : findDesktop();
  const options = {
    folder,
    isSample: values.workspace === undefined,
    settings: { 'openAgent.baseUrl': model.baseUrl, 'openAgent.model': model.model ?? '' },
  };
  if (desktop === undefined && !values.server) {
    console.log('No desktop VS Code, VSCodium or Cursor was found: using the VS Code server, in the browser.');
  }
  const editor = await (desktop === undefined
    ? openServer({ ...options, port: values.port })
    : openDesktop(desktop, options));
  started.push(() => editor.dispose());

  console.log(
    [
      '',
      editor.address === undefined
        ? `${desktop?.name ?? 'The editor'} is opening. Choose the Open Agent icon in its activity bar.`
        : 'VS Code is ready. Open this address in a browser, and choose the Open Agent icon in the activity bar:',
      ...(editor.address === undefined ? [] : ['', `  ${editor.address}`]),
      '',
      `  model   ${model.description}`,
      `  folder  ${folder}`,
      '',
      'Ctrl+C ends everything that was started.',
    ].join('\n'),
  );
  return editor.ended;
}

async function main(): Promise<void> {
  let values: Flags;
  try {
    values = parseFlags();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
  if (values.help) {
    console.log(usage);
    return;
  }
  endOnSignal('SIGINT', 130);
  endOnSignal('SIGTERM', 143);
  endOnSignal('SIGHUP', 129);
  let failure: string | undefined;
  try {
    failure = await start(values);
  } catch (error) {
    failure = messageOf(error);
  }
  // A signal ended it, so the exit code of the signal counts.
  if (isEnding) return;
  if (failure !== undefined) console.error(failure);
  await endEverything();
  process.exit(failure === undefined ? 0 : 1);
}

void main();
