import { chooseAgent } from '../../../../src/agent/configuration/chooseAgent';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';
import type { ExamTask } from '../../../../src/agent/exam/examTask';
import { createCheckRunner } from '../../../../src/agent/exam/judge/checkRunner';
import { runTask } from '../../../../src/agent/exam/runTask';
import { openModelAccess } from '../../../../src/agent/servers/access/modelAccess';
import { PROMPT_TEXT, type RunWay } from './way';

/** A task of an exam. Nobody is asked: the exam decides, and runs a program that the model wrote. */
export const runExam: RunWay = async (given, { server }) => {
  const { configuration } = chooseAgent({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm' });
  const task: ExamTask = {
    ...{ id: 't', title: 'A task', language: 'JavaScript', group: 'work', judgedBy: 'check' },
    prompt: given.prompt ?? PROMPT_TEXT,
    files: { 'check.mjs': "import './code.mjs';\n", 'code.mjs': 'export const answer = 41;\n' },
    solution: [{ path: 'code.mjs', from: '41', to: '42' }],
  };
  const access = openModelAccess({ certificateAuthority: () => '' });
  const checks = await createCheckRunner();
  const result = await runTask(task, { configuration, access, checks, seed: 1 }, new AbortController().signal);
  return { offers: [], log: JSON.stringify(result), questions: [] };
};
