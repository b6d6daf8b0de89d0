import type { Client } from '../../sdk/client';
import { createNodeCommandRunner } from '../../workspace/node/commands/nodeCommandRunner';
import { createNodeCommandWorld } from '../../workspace/node/commands/nodeCommandWorld';
import { createConfinement } from '../../workspace/node/confinement/confinement';
import { createNodePorts } from '../../workspace/node/createNodePorts';
import type { CommandRunner } from '../../workspace/ports';
import type { AgentConfiguration } from '../configuration/chooseAgent';
import { createAgent } from '../configuration/createAgent';
import type { ModelAccess } from '../servers/access/modelAccess';
import { approveForExam, isCheckCommand } from './examApproval';
import type { CheckRunner } from './judge/checkRunner';
import type { TaskFolder } from './judge/taskFolder';

export interface ExamAgentParts {
  /** With server and model. */
  readonly configuration: AgentConfiguration;
  readonly access: Pick<ModelAccess, 'keys' | 'slots' | 'quirks' | 'fetch'>;
  readonly checks: CheckRunner;
  readonly folder: TaskFolder;
  /** The most model responses with tool calls. */
  readonly maxSteps: number;
  readonly maxTokens: number;
  readonly seed: number;
}

/** The agent of the product with its own tools and prompt, in a throwaway folder. The caller closes the client. */
export async function createExamAgent(parts: ExamAgentParts): Promise<Client> {
  const { access, checks, folder, maxSteps, maxTokens, seed } = parts;
  const configuration = configurationForExam(parts.configuration, { maxSteps, maxTokens, seed });
  const confinement = createConfinement();
  const runner = createNodeCommandRunner({ confinement });
  const createClient = createAgent({
    settings: () => configuration,
    ports: { ...createNodePorts(), confinement, commandRunner: withCheck(runner, checks, folder) },
    roots: () => [{ name: 'project', path: folder.path }],
    isTrusted: () => true,
    commandMachine: createNodeCommandWorld(),
    commandOptions: () => ({
      inTerminal: false,
      ...(checks.confinement === 'bubblewrap' && { confinement: 'workspace-no-network' }),
    }),
    ...access,
    platform: process.platform,
    discoveryPorts: [],
  });
  const { client } = await createClient({
    history: [],
    sessionId: 'exam',
    ask: approveForExam,
    recordCheckpoint: () => Promise.resolve(),
  });
  return client;
}

/** Everything that the person chose about the model, and nothing about their own work. */
function configurationForExam(
  configuration: AgentConfiguration,
  { maxSteps, maxTokens, seed }: Pick<ExamAgentParts, 'maxSteps' | 'maxTokens' | 'seed'>,
): AgentConfiguration {
  const { baseUrl, model, contextWindow, modelOptions, temperature, topP, topK, reasoningEffort, thinking, extraBody } =
    configuration;
  const limit = configuration.maxTokens ?? maxTokens;
  return {
    baseUrl,
    model,
    contextWindow,
    modelOptions,
    temperature,
    topP,
    topK,
    reasoningEffort,
    thinking,
    extraBody: { seed, ...extraBody },
    maxTokens: Math.min(limit, maxTokens),
    maxToolIterations: maxSteps,
    permissionMode: 'acceptEdits',
    // The exam judges by its own check.
    checks: 'off',
    systemPrompt: '',
  };
}

/** Runs the check of the task confined, whatever `node` is here. */
function withCheck(runner: CommandRunner, checks: CheckRunner, folder: TaskFolder): CommandRunner {
  return {
    shellName: runner.shellName,
    run: (request, options) =>
      isCheckCommand(request.command) ? checks.run(folder, options) : runner.run(request, options),
  };
}
