import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../../scripts/projectRoot';
import { openWorkspace } from '../../../../src/library/workspace';
import { Client } from '../../../../src/sdk/client';
import type { Question } from '../leakCase';
import { PROMPT_TEXT, questionOf, type RunWay } from './way';

const GRAMMARS = path.join(projectRoot, 'node_modules/@vscode/tree-sitter-wasm/wasm');

/** A program that uses the SDK, and denies every question. */
export const runLibrary: RunWay = async (given, { world, server }) => {
  const questions: Question[] = [];
  const log: string[] = [];
  const { mode } = given;
  const workspace = openWorkspace(world.workspace, {
    ...(mode !== 'sandbox' && { mode }),
    rules: { allow: given.allow ?? [] },
    shellGrammars: {
      module: () => import('@vscode/tree-sitter-wasm'),
      read: (name) => readFile(path.join(GRAMMARS, `${name}.wasm`)),
    },
    ask: async (question) => {
      questions.push(questionOf(question));
      log.push(question.preview);
      return { action: 'deny' };
    },
  });
  await using client = new Client({
    ...{ baseUrl: server.baseUrl, model: 'm', systemPrompt: '', autoExecuteTools: true },
    ...workspace,
  });
  const run = client.run(given.prompt ?? PROMPT_TEXT);
  // How the output of a command is divided depends on when it was read, so it is joined.
  const outputs = new Map<string, string>();
  for (let next = await run.next(); !next.done;) {
    const event = next.value;
    if (event.type === 'tool_execution_progress') {
      outputs.set(event.toolUseId, (outputs.get(event.toolUseId) ?? '') + event.output);
    } else {
      if (event.type === 'tool_execution_end') log.push(`output: ${outputs.get(event.toolUseId) ?? ''}`);
      log.push(JSON.stringify(event));
    }
    next = await run.next();
  }
  return { offers: [], log: log.join('\n'), questions };
};
