import { textOfContent } from '../../../../src/sdk/images/imagePart';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contextSections } from '../../../../src/agent/context/contextSections';
import { createProjectRules } from '../../../../src/agent/context/projectRules';
import { sectionsIn } from '../../../../src/agent/view/prompt/instructionSections';
import { sectionsOf } from '../../../../src/sdk/context/promptSections';
import type { Message } from '../../../../src/sdk/messages';
import type { SessionEntry } from '../../../../src/sdk/session/entries';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

describe('contextSections', () => {
  const total = (sections: object): number => Object.values(sections).reduce((sum, size) => sum + size, 0);
  const prompt = (content: string, text: string, contextLabels: readonly string[]): SessionEntry =>
    ({
      type: 'user_message',
      id: content,
      ts: 0,
      text,
      content,
      contextLabels,
      origin: 'prompt',
    }) as const as SessionEntry;

  it('adds up to the whole, for any prompt', () => {
    const message = fc.oneof(
      fc.string().map((content): Message => ({ role: 'user', content })),
      fc.string().map((text): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })),
    );
    const property = fc.property(fc.string(), fc.array(message), fc.nat(1_000_000), (systemPrompt, messages, count) => {
      const request = { model: 'm', systemPrompt, messages, tools: [], sampling: {} };
      const sections = sectionsOf(request, count);
      assert.equal(total(sections), count);
      const entries = messages.flatMap(({ role, content }) =>
        role === 'user' ? [prompt(textOfContent(content), textOfContent(content).slice(-5), ['a.ts'])] : [],
      );
      const split = contextSections(sections, messages, entries);
      assert.equal(total(split), count);
      assert.ok(
        Object.values(split).every((size) => size >= 0),
        JSON.stringify(split),
      );
    });
    fc.assert(property);
  });

  it('keeps instructions, files and the text of a prompt apart', async () => {
    const rules = 'Use tabs.\n```\ncode\n```\n'.repeat(40).trim();
    const fileSystem = new MemoryFileSystem({ '/w/AGENTS.md': rules });
    const parts = { fileSystem, roots: () => [{ name: 'w', path: '/w' }], isTrusted: () => true };
    for (const window of [100_000, 400]) {
      const [context] = await createProjectRules(parts).read(window);
      assert.ok(context);
      const file = 'x'.repeat(2_000);
      const content = `${context.content}\n\n${file}\n\nWhy?`;
      assert.equal(sectionsIn(content).at(-1)?.end, context.content.length);
      const messages: readonly Message[] = [{ role: 'user', content }];
      const sections = { system: 10, tools: 20, results: 0, conversation: 1_000 };
      const split = contextSections(sections, messages, [prompt(content, 'Why?', ['AGENTS.md', 'a.ts'])]);
      assert.ok(split.instructions > 0 && split.files > 400 && split.conversation < 50, JSON.stringify(split));
      const without = contextSections(sections, messages, [prompt(content, 'Why?', ['AGENTS.md'])]);
      assert.equal(without.files, 0);
    }
  });
});
