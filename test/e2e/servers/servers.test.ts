import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { ModelServer, type Turn } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

const overflow: Turn = {
  kind: 'status',
  status: 400,
  body: {
    error: {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 40_100,
      n_ctx: 4096,
    },
  },
};

describe('model servers in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/main.ts': 'export const answer = 42;\n' },
    modelServer: { models: ['coder-7b', 'tiny-1b'] },
  });
  const chat = new Chat(() => window.workbench);
  const meter = () => window.panel.locator('.context-use');
  const menuItem = (name: string | RegExp) => window.panel.getByRole('menuitem', { name });
  const quickInput = () => window.workbench.page.locator('.quick-input-widget');

  before(async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
  });

  it('shortens the conversation when a prompt does not fit, says so, and gets an answer', async () => {
    const long = Array.from({ length: 400 }, (_, index) => `Point ${index} is about ${index * 7}.`).join(' ');
    window.expect({ text: long }, overflow, { text: 'They asked for many points.' }, { text: 'Here you are.' });
    await chat.startSession();
    await chat.send('List the points');
    await chat.answers.getByText('Point 399').waitFor();
    await chat.untilIdle();
    assert.match(await meter().innerText(), / of 32k$/);
    await chat.send('And now?');
    await chat.answers.getByText('Here you are.').waitFor();
    await chat.untilIdle();
    assert.match(await chat.notices.innerText(), /Earlier messages were summarised for the model/);
    // The person still sees all messages. The limit named by the server counts from now on.
    await chat.prompts.filter({ hasText: 'And now?' }).waitFor();
    // Rows far from the visible part are not on the page.
    await window.panel.locator('.message-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    await chat.prompts.filter({ hasText: 'List the points' }).waitFor();
    assert.match(await meter().innerText(), / of 4k$/);
    const last = (await window.request(4)).body.messages;
    assert.match(last.map(({ content }) => content ?? '').join('\n'), /They asked for many points\./);
    assert.ok(JSON.stringify(last).length < long.length);
    await window.workbench.screenshot('servers-overflow');
  });

  it('summarises older messages when the person asks, and keeps what they name', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `Point ${index} is about ${index * 7}.`).join(' ');
    window.expect(
      { text: long },
      { text: 'Here you are.' },
      { text: 'They asked for points.' },
      { text: 'The third.' },
    );
    await chat.startSession();
    await chat.send('List the points');
    await chat.answers.getByText('Point 199').waitFor();
    await chat.untilIdle();
    await chat.send('And now?');
    await chat.answers.getByText('Here you are.').waitFor();
    await chat.untilIdle();
    await meter().click();
    await window.workbench.screenshot('servers-compact-button');
    await window.panel.getByRole('button', { name: 'Compact Conversation…' }).click();
    const input = window.workbench.page.locator('.quick-input-widget input').first();
    await input.waitFor();
    await input.fill('the numbers');
    await window.workbench.screenshot('servers-compact-focus');
    await input.press('Enter');
    await chat.notices.getByText('Earlier messages were summarised for the model', { exact: false }).waitFor();
    await chat.untilIdle();
    await chat.send('Third question');
    await chat.answers.getByText('The third.').waitFor();
    await chat.untilIdle();
    const asked = (await window.request(3)).body.messages.at(-1)?.content;
    assert.match(String(asked), /Above all, keep what the user named: the numbers$/);
    const last = JSON.stringify((await window.request(4)).body.messages);
    assert.ok(last.includes('They asked for points.') && !last.includes('Point 199'));
    await window.workbench.screenshot('servers-compacted');
  });

  it('reports a rejected feature, lists it in the model menu, and forgets it on request', async () => {
    const rejection: Turn = {
      kind: 'status',
      status: 400,
      body: { error: { message: 'coder-7b does not support tools' } },
    };
    window.expect(rejection, { text: 'Without tools.' });
    await chat.startSession();
    await chat.send('Hello');
    await chat.answers.getByText('Without tools.').waitFor();
    await chat.untilIdle();
    assert.match(await chat.notices.innerText(), /does not take tools for coder-7b/);
    assert.equal((await window.request(2)).body.tools, undefined);
    await chat.button('Model: coder-7b').click();
    await menuItem('Forget What Was Learned: tools as text').waitFor();
    await window.workbench.screenshot('servers-learned');
    await window.workbench.page.keyboard.press('Escape');

    await chat.notices.getByRole('button', { name: 'Details' }).click();
    await quickInput().getByText('tools as text').waitFor();
    await window.workbench.page.keyboard.press('Escape');
    await chat.notices.getByRole('button', { name: 'Forget' }).click();
    window.expect({ text: 'With tools again.' });
    await chat.send('And again?');
    await chat.answers.getByText('With tools again.').waitFor();
    await chat.untilIdle();
    assert.ok((await window.request(1)).body.tools?.length);
    await chat.button('Model: coder-7b').click();
    await menuItem(/^Tool Calls: automatic/).waitFor();
    assert.equal(await menuItem(/^Forget What Was Learned/).count(), 0);
    await window.workbench.page.keyboard.press('Escape');
  });

  it('forgets a rejected feature for the picked server', async () => {
    window.expect(
      { kind: 'status', status: 400, body: { error: { message: 'coder-7b does not support tools' } } },
      { text: 'As text.' },
    );
    await chat.startSession();
    await chat.send('Hello');
    await chat.answers.getByText('As text.').waitFor();
    await chat.untilIdle();
    // The button runs the command that forgets.
    await chat.notices.getByRole('button', { name: 'Details' }).click();
    await quickInput().getByText('tools as text').waitFor();
    await window.workbench.page.keyboard.press('Enter');
    await quickInput().waitFor({ state: 'hidden' });
    window.expect({ text: 'Natively.' });
    await chat.send('And now?');
    await chat.answers.getByText('Natively.').waitFor();
    await chat.untilIdle();
    assert.ok((await window.request(1)).body.tools?.length);
  });

  it('lets the person choose how a model calls tools', async () => {
    await chat.button('Model: coder-7b').click();
    await menuItem('Tool Calls: automatic').click();
    await quickInput().getByText('How coder-7b Calls Tools').waitFor();
    await quickInput().getByText('As text', { exact: true }).click();
    await chat.button('Model: coder-7b').click();
    await menuItem('Tool Calls: as text').waitFor();
    await window.workbench.page.keyboard.press('Escape');
    window.expect({ text: 'As you like.' });
    await chat.startSession();
    await chat.send('Hello');
    await chat.answers.getByText('As you like.').waitFor();
    await chat.untilIdle();
    assert.equal((await window.request(1)).body.tools, undefined);
    await window.workbench.updateSettings({ 'openAgent.modelOptions': {} });
  });

  it('loads and unloads a model of a router, and shows its state', async () => {
    await using router = await ModelServer.start({ models: ['big-30b', 'small-3b'] });
    const list = (big: string): void =>
      router.setRoute('/v1/models', {
        status: 200,
        body: {
          data: [
            { id: 'small-3b', owned_by: 'llamacpp', status: { value: 'loaded' } },
            { id: 'big-30b', owned_by: 'llamacpp', status: { value: big } },
          ],
        },
      });
    list('unloaded');
    router.setRoute('/models/load', { status: 200, body: { success: true } });
    router.setRoute('/models/unload', { status: 200, body: { success: true } });
    window.expect();
    await window.workbench.updateSettings({ 'openAgent.baseUrl': router.baseUrl });
    await chat.untilModel('small-3b');
    await chat.button('Model: small-3b').click();
    await chat.frame.getByRole('menuitemradio', { name: 'big-30b, not loaded' }).click();
    await chat.button('Model: big-30b').click();
    await menuItem('Load the Model into Memory').click();
    await window.workbench.page.getByText('Loading big-30b').first().waitFor();
    list('loaded');
    await chat.button('Model: big-30b').click();
    await chat.frame.getByRole('menuitemradio', { name: /^big-30b, loaded/ }).waitFor();
    await window.workbench.screenshot('servers-loaded');
    list('unloaded');
    await menuItem('Unload the Model from Memory').click();
    await chat.button('Model: big-30b').click();
    await chat.frame.getByRole('menuitemradio', { name: 'big-30b, not loaded' }).waitFor();
    await window.workbench.page.keyboard.press('Escape');
    const asked = router.requests.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body]),
      [
        ['/models/load', { model: 'big-30b' }],
        ['/models/unload', { model: 'big-30b' }],
      ],
    );
    await window.workbench.updateSettings({ 'openAgent.baseUrl': window.server.baseUrl });
    await chat.untilModel('coder-7b');
  });
});
