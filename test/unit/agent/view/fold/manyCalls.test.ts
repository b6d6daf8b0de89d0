import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { emptyView, foldSession } from '../../../../../src/agent/view/fold/foldSession';
import { findTool, insertAt, replaceAt } from '../../../../../src/agent/view/fold/toolPlaces';
import type { SessionView, ViewItem } from '../../../../../src/agent/view/sessionView';
import type { AgentEvent } from '../../../../../src/sdk/events';

const fold = (view: SessionView, event: AgentEvent): SessionView => foldSession(view, { type: 'agent', event, ts: 1 });

const call = (id: string): Extract<ViewItem, { kind: 'tool' }> => ({
  kind: 'tool',
  id,
  toolName: 'read_file',
  state: 'ready',
  argumentsText: '',
  liveOutput: '',
});

/** How often the fold looks at an item while a response with so many calls ends and its calls run. */
function looksAt(calls: number): number {
  let looks = 0;
  const ids = Array.from({ length: calls }, (_, index) => `call-${index}`);
  const items = ids.map(
    (id) =>
      new Proxy(call(id), {
        get: (item, name) => {
          looks += 1;
          return Reflect.get(item, name) as unknown;
        },
      }),
  );
  let view: SessionView = { ...emptyView('s'), items, responseStart: 0 };
  const content = ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: {} }) as const);
  view = fold(view, {
    type: 'assistant_message',
    message: { role: 'assistant', content, stopReason: 'tool_use' },
    responseId: 'r',
    model: 'm',
  });
  for (const toolUseId of ids)
    view = fold(view, { type: 'tool_execution_start', toolUseId, toolName: 'read_file', input: {} });
  assert.equal(
    view.items.every((item) => item.kind === 'tool' && item.state === 'running'),
    true,
  );
  return looks;
}

describe('a response with very many calls', () => {
  it('costs twice the work for twice the calls', () => {
    const [some, twice] = [looksAt(500), looksAt(1000)];
    assert.ok(twice < 2.2 * some, `${some} looks at 500 calls, ${twice} at 1000`);
    assert.ok(twice < 100 * 1000, `${twice} looks at 1000 calls`);
  });

  it('adds calls with the same work for each', () => {
    let looks = 0;
    let view = fold(emptyView('s'), { type: 'step_start', step: 1 });
    for (let index = 0; index < 300; index += 1) {
      view = fold(view, { type: 'tool_use_start', block: index, id: `call-${index}`, name: 'read_file' });
      view = {
        ...view,
        items: Object.assign(
          replaceAt(
            view.items,
            index,
            new Proxy(call(`call-${index}`), {
              get: (item, name) => {
                looks += 1;
                return Reflect.get(item, name) as unknown;
              },
            }),
          ),
        ),
      };
    }
    assert.ok(looks < 300 * 20, `${looks} looks`);
  });

  it('finds the newest call with an id, as a search from the end does, in every list', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), id, at: fc.nat(8) }),
      fc.record({ kind: fc.constant('append' as const), id, at: fc.nat(8) }),
      fc.record({ kind: fc.constant('replace' as const), id, at: fc.nat(8) }),
      fc.record({ kind: fc.constant('back' as const), id, at: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.infiniteStream(fc.boolean()), (steps, asks) => {
        const lists: (readonly ViewItem[])[] = [[]];
        let items: readonly ViewItem[] = [];
        for (const { kind, id: name, at } of steps) {
          const text: ViewItem = { kind: 'text', id: name, text: '', isStreaming: false };
          const item = at % 3 === 0 ? text : call(name);
          if (kind === 'back') items = lists[at % lists.length] ?? [];
          else if (kind === 'replace') items = items.length === 0 ? items : replaceAt(items, at % items.length, item);
          else items = insertAt(items, kind === 'append' ? items.length : at % (items.length + 1), item);
          lists.push(items);
          for (const list of asks.next().value === true ? lists : [items])
            for (const wanted of ['a', 'b', 'c', 'd'])
              assert.equal(
                findTool(list, wanted),
                list.findLastIndex((each) => each.kind === 'tool' && each.id === wanted),
              );
        }
      }),
      { numRuns: 500 },
    );
  });
});
