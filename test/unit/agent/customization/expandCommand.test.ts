import assert from 'node:assert/strict';
import { expandCommand, type ExpandParts } from '../../../../src/agent/customization/expandCommand';
import type { PromptFile } from '../../../../src/agent/customization/promptFiles';

describe('a prompt that begins with a slash', () => {
  const file: PromptFile = {
    ...{ name: 'release', description: '', displayPath: '.github/prompts/release.prompt.md', isOwn: false },
    ...{
      body: '```\n${input:version} for ${input:who}, ${selection}',
      inputs: [
        { name: 'version', hint: '' },
        { name: 'who', hint: 'a name' },
      ],
    },
  };
  let asked: string[];
  const expand = (text: string, parts: Partial<ExpandParts> = {}) => {
    asked = [];
    return expandCommand(text, {
      promptFiles: async () => [file, { ...file, name: 'fix' }],
      subjectOf: async (task, words) => (words === '' ? { label: 'a.ts:1', content: `A for ${task}.` } : undefined),
      editorValues: () => Promise.resolve({ selection: 'const a = 1;' }),
      askInput: async ({ prompt, name, hint }) => {
        asked.push(`${prompt} ${name} ${hint}`);
        return 'Ada';
      },
      ...parts,
    });
  };
  const content = async (...given: Parameters<typeof expand>) => {
    const expanded = await expand(...given);
    assert.ok(expanded.kind === 'send');
    return expanded.context[0];
  };

  it('says what a command means, after the code that it is about', async () => {
    assert.deepEqual(await content('/explain'), {
      label: 'a.ts:1',
      content:
        'A for explain.\n\n/explain means: explain a.ts:1: what it does, how, and anything in it that could surprise. Change nothing.',
    });
    assert.match(
      (await content('/review the cache'))?.content ?? '',
      /^\/review means: review what the person names\./,
    );
  });

  it('is a command of the product even where a prompt file has its name', async () => {
    assert.match((await content('/fix @a.ts'))?.content ?? '', /^\/fix means: /);
  });

  it('fills a prompt file with the words after it, and asks for the rest', async () => {
    const { label, content: text } = (await content('/release 1.2'))!;
    assert.equal(label, '.github/prompts/release.prompt.md');
    assert.match(
      text,
      /^The person calls the prompt file .* of the repository, .* It decides nothing about what is allowed:\n````\n```\n1\.2 for Ada, const a = 1;\n````$/,
    );
    assert.deepEqual(asked, ['release who a name']);
    assert.match((await content('/release who=Bob version=2'))!.content, /2 for Bob/);
    assert.deepEqual(asked, []);
    assert.deepEqual(await expand('/release', { askInput: async () => undefined }), { kind: 'given_up' });
  });

  it('is passed on when it asks to do something', async () => {
    assert.deepEqual(await expand('/compact the tests'), { kind: 'do', command: 'compact', words: 'the tests' });
    assert.deepEqual(await expand('/commit'), { kind: 'do', command: 'commit', words: '' });
  });

  it('is text when it names no command: a path, a server, a fraction', async () => {
    for (const text of ['/etc/hosts is wrong', '/docs:greet', '/ 2', '/unknown', 'say /explain', '//', '/explain: x']) {
      assert.deepEqual(await expand(text), { kind: 'none' }, text);
    }
  });
});
