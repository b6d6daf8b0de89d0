import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultAgentSettings, type AgentSettings } from '../../../src/agent/configuration/agentSettings';
import { chooseAgent, type AgentChoice, type AgentConfiguration } from '../../../src/agent/configuration/chooseAgent';
import type { ApprovalAsk } from '../../../src/agent/approval/approver';
import type { Message } from '../../../src/sdk/messages';
import { record } from '../../support/sessions/clients';

import { useAgents } from '../../support/sessions/agents';

const nobody: ApprovalAsk = () => assert.fail('nobody may be asked');

describe('createAgent with profiles and agents', () => {
  const bench = useAgents();
  const { agent, run } = bench;

  const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] };

  function configured(choice: AgentChoice, agents: AgentSettings['agents'] = []): Partial<AgentConfiguration> {
    const profiles = [
      {
        id: 'gpu',
        baseUrl: bench.server.baseUrl,
        model: 'big',
        temperature: 0.1,
        topP: 0.9,
        topK: 20,
        maxTokens: 300,
        reasoningEffort: 'low',
        thinking: false,
        systemPrompt: 'From the profile.',
        extraBody: { min_p: 0.05, seed: 1 },
      },
    ];
    const settings = { ...defaultAgentSettings, baseUrl: 'http://127.0.0.1:9', model: 'm', profiles, agents };
    return chooseAgent(settings, choice).configuration;
  }

  it('sends the settings of the profile to its server', async () => {
    bench.server.script({ text: 'Hi.' });
    await run(await agent({ settings: configured({ profile: 'gpu' }) })(), 'Hello');
    const {
      messages,
      tools: _tools,
      stream: _stream,
      stream_options: _options,
      ...sent
    } = bench.server.completions[0]!.body as unknown as Record<string, unknown> & { messages: { content: string }[] };
    assert.deepEqual(sent, {
      model: 'big',
      temperature: 0.1,
      top_p: 0.9,
      top_k: 20,
      max_tokens: 300,
      return_progress: true, // The server of the tests answers as llama.cpp does.
      reasoning_effort: 'low',
      chat_template_kwargs: { enable_thinking: false },
      min_p: 0.05,
      seed: 1,
    });
    assert.match(messages[0]!.content, /From the user:\nFrom the profile\.$/);
  });

  it('lets the agent override its profile, and keeps the rest of the profile', async () => {
    bench.server.script({ text: 'Hi.' });
    const reviewer = {
      id: 'reviewer',
      profile: 'gpu',
      model: 'other',
      prompt: 'Review.',
      topK: null,
      extraBody: { seed: 2 },
    };
    await run(await agent({ settings: configured({ agent: 'reviewer' }, [reviewer]) })(), 'Hello');
    const body = bench.server.completions[0]!.body as unknown as Record<string, unknown>;
    assert.deepEqual(
      [body['model'], body['temperature'], 'top_k' in body, body['min_p'], body['seed']],
      ['other', 0.1, false, 0.05, 2],
    );
    assert.match(bench.server.completions[0]!.body.messages[0]!.content ?? '', /From the user:\nReview\.$/);
  });

  it('neither offers nor runs an excluded tool, and names the available tools', async () => {
    bench.server.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two\n' } }] },
      { toolCalls: [{ name: 'execute_bash', arguments: { command: 'touch c.txt' } }] },
      read,
      { text: 'Only read.' },
    );
    const reader = {
      id: 'reader',
      profile: 'gpu',
      includeTools: ['read_file', 'list_directory', 'write_file'],
      excludeTools: ['write_file'],
    };
    await run(await agent({ settings: configured({ agent: 'reader' }, [reader]) })(), 'Write b.txt');
    const bodies = bench.server.completions.map(({ body }) => body);
    assert.deepEqual(
      bodies.map(({ tools }) => tools?.map((tool) => tool.function.name)),
      Array.from({ length: 4 }, () => ['read_file', 'list_directory']),
    );
    const results = bodies
      .at(-1)!
      .messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    assert.deepEqual(results.slice(0, 2), [
      'The tool write_file may not be used here. Nothing was executed. The tools are: read_file, list_directory.',
      'The tool run_terminal_command may not be used here. Nothing was executed. The tools are: read_file, list_directory.',
    ]);
    assert.match(results[2] ?? '', /one/);
    assert.deepEqual(await readdir(bench.folder.path), ['a.txt']);
  });

  it('rejects an agent with a misspelled tool name', async () => {
    const slip = { id: 'reader', excludeTools: ['write_fil'] };
    await assert.rejects(agent({ settings: configured({ profile: 'gpu', agent: 'reader' }, [slip]) })(), {
      code: 'invalid_options',
      message: /^Agent "reader": excludeTools: there is no tool "write_fil"\. The tools are: read_file, /,
    });
  });

  it('refuses edits and commands in plan mode without asking, and offers the same tools', async () => {
    const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two\n' } }] };
    bench.server.script(
      read,
      write,
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'touch c' } }] },
      {
        text: 'I would write b.txt.',
      },
    );
    await run(await agent({ settings: { ...configured({ profile: 'gpu' }), permissionMode: 'plan' } })(), 'Go');
    const { messages, tools } = bench.server.completions.at(-1)!.body;
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
    assert.match(results[0] ?? '', /one/);
    assert.match(results[1] ?? '', /plan mode: edits are refused/);
    assert.match(results[2] ?? '', /plan mode: commands are refused/);
    assert.equal(tools?.length, 6);
    assert.deepEqual(await readdir(bench.folder.path), ['a.txt']);
  });

  it('edits ordinary files without asking in accept-edits mode, and asks about a manifest', async () => {
    bench.server.script(
      {
        toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'one', new_text: '1' }] } }],
      },
      { toolCalls: [{ name: 'write_file', arguments: { path: 'package.json', content: '{}' } }] },
      { text: 'Half done.' },
    );
    const asked: string[] = [];
    const create = agent({ settings: { ...configured({ profile: 'gpu' }), permissionMode: 'acceptEdits' } });
    const client = await create(async ({ reason }) => {
      asked.push(reason);
      return { action: 'deny' };
    });
    await run(client, 'Go');
    assert.deepEqual(asked, ['package.json decides what is built, tested or run, so changing it asks in every mode']);
    assert.equal(await readFile(path.join(bench.folder.path, 'a.txt'), 'utf8'), '1\n');
    assert.deepEqual(await readdir(bench.folder.path), ['a.txt']);
  });

  it('starts each prompt without the earlier conversation if the agent is configured so', async () => {
    const fresh = { id: 'fresh', profile: 'gpu', includeHistory: false };
    const create = agent({ settings: configured({ agent: 'fresh' }, [fresh]) });
    const history: readonly Message[] = [
      { role: 'user', content: 'Before' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }], stopReason: 'stop' },
    ];
    const sent: unknown[] = [];
    for (const isForPrompt of [true, false]) {
      bench.server.script({ text: 'Hi.' });
      await run(await create(nobody, { history, isForPrompt }), 'Now');
      sent.push(bench.server.completions.at(-1)?.body.messages.filter(({ role }) => role === 'user').length);
    }
    assert.deepEqual(sent, [1, 2]);
  });

  it('accepts no more prompts than the agent allows', async () => {
    bench.server.script({ text: 'Hi.' });
    const once = { id: 'once', profile: 'gpu', maxTurns: 1 };
    const client = await agent({ settings: configured({ agent: 'once' }, [once]) })();
    assert.equal(await run(client, 'Hello'), 'Hi.');
    const events = await record(client.run('Again'));
    assert.match(
      events.result.error?.message ?? '',
      /The agent "once" takes one prompt in a session \(maxTurns\)\. Start a new session\./,
    );
  });
});
