import assert from 'node:assert/strict';
import {
  findingText,
  isUsable,
  reportText,
  summaryOf,
  type DoctorReport,
} from '../../../../../src/agent/view/server/doctorReport';

const report: DoctorReport = {
  state: 'finished',
  baseUrl: 'http://gpu:8080/v1',
  serverName: 'llama.cpp',
  model: 'qwen',
  checks: [
    { id: 'server', title: 'Server', status: 'ok', detail: 'It answers.' },
    {
      id: 'slots',
      title: 'Slots',
      status: 'advice',
      detail: 'Four.',
      remedy: { text: 'Start llama-server with -np 1.', copy: '-np 1' },
    },
    {
      id: 'model',
      title: 'Model',
      status: 'problem',
      detail: 'Not there.',
      remedy: { text: 'Choose another.', action: 'selectModel' },
    },
    { id: 'reasoning', title: 'Reasoning', status: 'waiting' },
  ],
};

describe('doctor report', () => {
  it('is a text to paste', () => {
    assert.equal(
      reportText(report),
      `Open Agent: check of server and model
Server: llama.cpp at http://gpu:8080/v1
Model: qwen
1 problem, 1 piece of advice, 1 fine.

[OK] Server: It answers.
[Advice] Slots: Four.
  -> Start llama-server with -np 1.
     -np 1
[Problem] Model: Not there.
  -> Choose another.
     Command: Open Agent: Select Model…
`,
    );
  });

  it('names settings as they are changed in its place', () => {
    const finding = {
      id: 'server',
      title: 'Server',
      status: 'problem',
      detail: 'Gone.',
      remedy: { text: 'Correct the address.', setting: 'openAgent.baseUrl' },
    } as const;
    const head = '[Problem] Server: Gone.\n  -> Correct the address.\n';
    assert.equal(findingText(finding, 'editor'), `${head}     Setting: openAgent.baseUrl`);
    assert.equal(findingText(finding, 'terminal'), `${head}     --base-url URL`);
  });

  it('counts what was found, also when it was stopped', () => {
    const [server, slots] = report.checks;
    assert.equal(summaryOf({ ...report, state: 'stopped' }), 'Stopped. 1 problem, 1 piece of advice, 1 fine.');
    assert.equal(summaryOf({ ...report, checks: [server!, slots!, slots!] }), '2 pieces of advice, 1 fine.');
    assert.equal(summaryOf({ ...report, state: 'stopped', checks: [] }), 'Stopped. Nothing was found out.');
  });

  it('counts findings that are not known', () => {
    const unknown = { id: 'native_tools', title: 'Tools', status: 'unknown', detail: 'No call.' } as const;
    const ok = { id: 'text_tools', title: 'Text', status: 'ok', detail: 'It called.' } as const;
    const cache = { id: 'prompt_cache', title: 'Cache', status: 'unknown', detail: 'No counts.' } as const;
    const [server] = report.checks;
    assert.equal(summaryOf({ ...report, checks: [server!, unknown] }), '1 not known, 1 fine.');
    assert.equal(isUsable({ ...report, checks: [server!, unknown] }), false, 'no way of tool calls works');
    assert.equal(isUsable({ ...report, checks: [server!, unknown, ok] }), true);
    assert.equal(isUsable({ ...report, checks: [server!, ok, cache] }), true);
    assert.equal(isUsable(report), false, 'a problem');
  });
});
