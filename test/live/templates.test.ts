import assert from 'node:assert/strict';
import { commonTemplates, rewritingTemplates } from './templates/commonTemplates';
import { askDoctor } from './templates/doctorWord';
import { measureTemplate, type TemplateRow } from './templates/templateRow';
import { updateTemplateTable, type ExaminedRow } from './templates/templateTable';
import type { LlamaServer } from './engines/llamaServer';
import { useLlamaServer } from './useLlamaServer';

describe('a session on a real llama-server', function () {
  this.timeout(600_000);
  const llama = useLlamaServer();

  /** The tools run as the model called them, and no token is read again that the template leaves as it was. */
  const check = async (template: string, server: LlamaServer): Promise<TemplateRow> => {
    const row = await measureTemplate(template, server);
    assert.deepEqual(row.problems, [], template);
    assert.ok((row.stepRatio ?? 1) <= 1.01, `${template}: steps read ${row.stepRatio} times what is new`);
    const again = (row.nextMessage ?? 0) - (row.nextMessageNew ?? 0);
    assert.ok(again <= 30, `${template}: the next prompt reads ${again} tokens again`);
    return row;
  };

  const wanted = process.env['OPEN_AGENT_LIVE_TEMPLATES'] ?? '';
  if (wanted !== '') {
    const what = wanted === 'all' ? 'every template of llama.cpp' : `the templates ${wanted}`;
    it(`works with ${what}, as docs/servers.md tells`, async function () {
      this.timeout(1_800_000);
      const rows: ExaminedRow[] = [];
      for (const template of wanted === 'all' ? await llama.templates() : wanted.split(',')) {
        await using server = await llama.start(template);
        const row = await check(template, server);
        const doctor = await askDoctor(server);
        assert.deepEqual(doctor.problems, [], template);
        rows.push({ ...row, doctor });
      }
      await updateTemplateTable(rows);
    });
  } else {
    for (const template of commonTemplates) {
      it(`works with the template ${template}, and reads only what is new`, async () => {
        const { stepRatio } = await check(template, await llama.start(template));
        assert.equal(stepRatio === undefined, rewritingTemplates.has(template), 'the template rewrites earlier steps');
      });
    }
  }

  const learned: readonly (readonly [template: string, row: Partial<TemplateRow>, doctor: string])[] = [
    [
      'meta-llama-Llama-3.1-8B-Instruct',
      { tools: 'native', learned: ['one call in a message'] },
      '1 piece of advice, 9 fine (Several calls at once)',
    ],
    ['google-gemma-2-2b-it', { tools: 'text', learned: [] }, '1 piece of advice, 10 fine (Tool calls)'],
    ['Qwen-Qwen3-0.6B', { tools: 'native', learned: [] }, '10 fine'],
  ];
  for (const [template, expected, doctor] of learned) {
    it(`finds the laws of the template ${template}, and so does the doctor`, async () => {
      const server = await llama.start(template);
      const { tools, learned: words } = await measureTemplate(template, server);
      assert.deepEqual({ tools, learned: words }, expected);
      assert.equal((await askDoctor(server)).words, doctor);
    });
  }
});
