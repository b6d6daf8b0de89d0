import path from 'node:path';
import { RuleStore } from '../../../src/agent/approval/rules/ruleStore';
import { UnseenEdits } from '../../../src/agent/approval/unseenEdits';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import type { AgentConfiguration } from '../../../src/agent/configuration/chooseAgent';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { withCheckCommand } from '../../../src/agent/runSummary/checkRounds';
import { createFindCheck } from '../../../src/agent/runSummary/findCheck';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../../src/workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../../src/workspace/node/checkpoints/workspaceScanner';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import type { Diagnostics } from '../../../src/workspace/ports';
import { ModelServer } from '../servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { createRegistry } from './registry';
import { ScriptedApprover } from './sessions';

export interface GivenCheckedAgent {
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: Partial<AgentConfiguration>;
  readonly diagnostics?: Diagnostics;
  /** See `AgentParts`. */
  readonly checkCommand?: (signal: AbortSignal) => Promise<string | undefined>;
  /** Counts as a check. */
  readonly knownCheck?: string;
}

/** A whole agent on a folder, with checkpoints and the search for checks, and a scripted server. */
export interface CheckedAgent extends AsyncDisposable {
  readonly server: ModelServer;
  readonly folder: TemporaryFolder;
  /** Allows every call unless a decision is pushed. */
  readonly approver: ScriptedApprover;
  /** Like another process on the same files. Ends what was opened before. */
  open(): Promise<SessionRegistry>;
}

export async function openCheckedAgent({
  files,
  settings,
  diagnostics,
  checkCommand,
  knownCheck,
}: GivenCheckedAgent): Promise<CheckedAgent> {
  const server = await ModelServer.start();
  const folder = await createTemporaryFolder(files);
  const storage = await createTemporaryFolder();
  const approver = new ScriptedApprover();
  const roots = () => [{ name: 'app', path: folder.path }];
  const ports = { ...createNodePorts(), diagnostics };
  const blobs = createBlobFolder(path.join(storage.path, 'checkpoints'));
  const onInternalError = (error: unknown): never => {
    throw error;
  };
  let opened: SessionRegistry | undefined;
  const create = (): SessionRegistry =>
    createRegistry(path.join(storage.path, 'sessions'), {
      createClient: createAgent({
        settings: () => ({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm', ...settings }),
        ports,
        roots,
        isTrusted: () => true,
        keys: new KeyStore({ secrets: memorySecrets() }),
        slots: new SlotQueue(),
        rules: new RuleStore({ userSettings: () => ({ allow: [], ask: [], deny: [] }), onInternalError }),
        unseenEdits: new UnseenEdits({ onInternalError }),
        checkpoints: {
          blobs,
          contents: createFileContents(ports.fileSystem),
          scanner: createWorkspaceScanner({ roots, blobs, ownFolder: storage.path }),
          onInternalError,
        },
        commandMachine: createNodeCommandWorld(),
        fetch: createFetch(),
        platform: 'linux',
        ...(checkCommand && { checkCommand }),
      }),
      approver,
      findCheck: withCheckCommand(createFindCheck({ ...ports, roots }), () => knownCheck),
    });
  return {
    server,
    folder,
    approver,
    async open() {
      await opened?.dispose();
      opened = create();
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await opened?.dispose();
      await server.dispose();
      await folder.dispose();
      await storage.dispose();
    },
  };
}
