import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';
import { ModelServer } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

describe('profiles, agents and modes in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/main.ts': 'export const answer = 42;\n' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  let gpu: ModelServer;

  before(async () => {
    gpu = await ModelServer.start({ models: ['big', 'other'] });
    await chat.show();
    await chat.untilModel('coder-7b');
    const profile = { id: 'gpu', baseUrl: gpu.baseUrl, model: 'big', temperature: 0.1, topK: 20, thinking: false };
    await window.workbench.updateSettings({
      'openAgent.profiles': [profile, { id: 'bad', baseUrl: gpu.baseUrl, model: 'big', topP: 7, temprature: 1 }],
      'openAgent.agents': [
        {
          id: 'reviewer',
          description: 'Looks for mistakes and changes nothing',
          prompt: 'Review.',
          includeTools: ['read_file'],
        },
      ],
    });
    await chat.show();
  });

  after(() => gpu.dispose());

  const picker = () => window.panel.locator('.model-picker > button');
  const choose = async (group: string, name: string): Promise<void> => {
    await picker().click();
    const choices = window.panel.getByRole('group', { name: group, exact: true }).getByRole('menuitemradio');
    await choices.filter({ hasText: name }).click();
  };

  it('names every wrong field of a profile, and offers the other profiles', async () => {
    const banner = window.panel.getByRole('note', { name: 'Settings that cannot be used' });
    await banner.waitFor();
    assert.match(
      await banner.innerText(),
      /^Setting openAgent\.profiles: Profile "bad": topP: .*; unknown field temprature\./,
    );
    await picker().click();
    await window.panel.getByRole('menu', { name: 'Model' }).waitFor();
    await window.workbench.screenshot('e2e-profiles-menu');
    await window.workbench.page.keyboard.press('Escape');
  });

  it('begins the model menu with the models, also when there are agents and profiles', async () => {
    await picker().click();
    const menu = window.panel.getByRole('menu', { name: 'Model' });
    const choices = menu.getByRole('menuitemradio');
    await choices.filter({ hasText: 'No agent' }).waitFor();
    const lines = (await choices.allInnerTexts()).map((text) => text.trim().split('\n')[0]);
    assert.deepEqual(lines, ['coder-7b', 'reviewer', 'No agent', 'gpu', 'No profile']);
    await choices.first().and(window.panel.locator(':focus')).waitFor();
    await window.workbench.screenshot('e2e-model-menu');
    await window.workbench.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it("sends the next request to the chosen profile's server with its sampling options", async () => {
    window.expect({ text: 'From the first.' });
    await chat.send('Hello');
    await window.untilAnswered('From the first.');
    assert.equal('top_k' in (await window.request(1)).body, false);

    await choose('Profile', 'gpu');
    await window.panel.getByRole('button', { name: 'Model: gpu · big' }).waitFor();
    gpu.script({ text: 'From the second.' });
    await chat.send('And now?');
    await window.untilAnswered('From the second.');
    const { body } = await gpu.completion(1);
    const { model, temperature, top_k } = body as typeof body & { readonly top_k?: number };
    assert.deepEqual([model, temperature, top_k], ['big', 0.1, 20]);
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    );
    await chat.notices.getByText(`From here on: profile "gpu" (big at ${gpu.baseUrl})`).waitFor();
    await window.workbench.screenshot('e2e-profile-switched');
  });

  it('keeps the chosen profile of the folder after a reload', async () => {
    await window.workbench.reload();
    await chat.show();
    await window.panel.getByRole('button', { name: 'Model: gpu · big' }).waitFor();
    await chat.notices.getByText('From here on: profile "gpu"', { exact: false }).waitFor();
  });

  it('gives an agent only its own tools', async () => {
    await choose('Agent', 'reviewer');
    await window.panel.locator('button[title="Model: big, agent reviewer, profile gpu"]').waitFor();
    gpu.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'x' } }] },
      { text: 'I only read.' },
    );
    await chat.send('Write a file');
    await window.untilAnswered('I only read.');
    const { tools, messages } = (await gpu.completion(3)).body;
    assert.deepEqual(
      tools?.map((tool) => tool.function.name),
      ['read_file'],
    );
    assert.equal(
      messages.at(-1)?.content,
      'The tool write_file may not be used here. Nothing was executed. The tools are: read_file.',
    );
    await choose('Agent', 'No agent');
  });

  it('refuses edits in plan mode, and applies them in "accept edits" mode', async () => {
    await window.workbench.startCommand('Open Agent: Select Mode…');
    await window.workbench.page
      .locator('.quick-input-widget .monaco-list-row')
      .getByText('Plan', { exact: true })
      .click();
    await window.panel.getByRole('button', { name: 'Mode: Plan' }).waitFor();
    const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'new.txt', content: 'x\n' } }] };
    gpu.script(write, { text: 'I would write new.txt.' });
    await chat.send('Write new.txt');
    await window.untilAnswered('I would write new.txt.');
    const planned = (await gpu.completion(5)).body;
    assert.match(planned.messages.at(-3)?.content ?? '', /^\[Mode: plan\. .*\n\nWrite new\.txt$/);
    assert.match(planned.messages.at(-1)?.content ?? '', /plan mode: edits are refused/);
    assert.equal(existsSync(path.join(window.folder, 'new.txt')), false);
    await window.workbench.screenshot('e2e-plan-mode');

    await window.button('Mode: Plan').click();
    await window.panel.getByRole('menuitemradio', { name: 'Accept edits' }).click();
    await window.panel.getByRole('button', { name: 'Mode: Accept edits' }).waitFor();
    gpu.script(write, { text: 'Written.' });
    await chat.send('Go on');
    await window.untilAnswered('Written.');
    assert.equal(await window.read('new.txt'), 'x\n');
    const bodies = await Promise.all([5, 7].map(async (number) => (await gpu.completion(number)).body));
    assert.equal(JSON.stringify(bodies[0]?.tools), JSON.stringify(bodies[1]?.tools));
    await window.workbench.screenshot('e2e-accept-edits');
  });

  it('uses the settings when the profile was removed, and shows a notice', async () => {
    await window.workbench.updateSettings({ 'openAgent.profiles': [] });
    await chat.show();
    await window.panel.getByRole('button', { name: 'Model: coder-7b' }).waitFor();
    const banner = window.panel.getByRole('note', { name: 'Settings that cannot be used' });
    assert.match(
      await banner.innerText(),
      /The profile "gpu" is not in the settings, or not usable\. Using the settings: /,
    );
    window.expect({ text: 'From the first again.' });
    await chat.send('Still there?');
    await window.untilAnswered('From the first again.');
  });
});
