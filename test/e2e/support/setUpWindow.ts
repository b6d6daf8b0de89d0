import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { writeFakeLlamaServer, type FakeStart } from '../../support/localModel/fakeLlamaServer';
import { startFileHost, type FileHost } from '../../support/localModel/fileHost';
import { Workbench } from '../../support/window/workbench';

/** A window without a model server, on a machine with a stand-in of llama-server and a host of model files. */
export interface SetUpWindow {
  /** Holds the workspace, the home folder, the catalogue and the models. */
  readonly made: TemporaryFolder;
  readonly host: FileHost;
  /** Each start of the stand-in. */
  readonly starts: () => Promise<readonly FakeStart[]>;
  readonly workbench: Workbench;
}

export interface SetUpWindowOptions {
  readonly model: Buffer;
  /** Writes `catalogue.json` into the folder, and what else the machine has. Runs before the window opens. */
  readonly prepare: (made: TemporaryFolder, host: FileHost) => void;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** More variables of the window, besides `HOME`. */
  readonly env?: (made: TemporaryFolder) => NodeJS.ProcessEnv;
}

/** Opens the window with an empty session. The caller disposes the parts. */
export async function openSetUpWindow({ model, prepare, settings, env }: SetUpWindowOptions): Promise<SetUpWindow> {
  const made = await createTemporaryFolder({ 'work/a.txt': 'one\n' });
  const host = await startFileHost({ 'tiny.gguf': model });
  const file = (name: string): string => path.join(made.path, name);
  // VS Code takes PATH from the person's shell, so the programs are where installers put them.
  const bin = file('home/.local/bin');
  mkdirSync(bin, { recursive: true });
  const { starts } = await writeFakeLlamaServer(bin);
  prepare(made, host);
  const workbench = await Workbench.open({
    folder: file('work'),
    settings: {
      'openAgent.baseUrl': '',
      'openAgent.localModels.catalogue': file('catalogue.json'),
      'openAgent.localModels.folder': file('models'),
      ...settings,
    },
    env: { HOME: file('home'), ...env?.(made) },
  });
  await workbench.runCommand('Open Agent: New Session');
  // A list that opens before the field takes the focus would close.
  await workbench.panel().locator('textarea:focus').waitFor();
  return { made, host, starts, workbench };
}
