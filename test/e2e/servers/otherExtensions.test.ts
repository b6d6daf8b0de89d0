import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findBreaches } from '../../support/leaks/runCase';
import { edit, list, read, run, search, write } from '../../support/leaks/seeds/seed';
import { takeSnapshot } from '../../support/leaks/snapshot';
import { useLeakWorld } from '../../support/leaks/useLeakWorld';
import { secretVariables } from '../../support/leaks/world';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { Chat } from '../support/chat';

const SEED = 5;

/** `test/fixtures/second-extension` is installed beside Open Agent. */
describe('other extensions in the VS Code window', () => {
  const marked = useLeakWorld(SEED, { hasHardLinks: true });
  before(async () => {
    const { world } = marked;
    await world.reset('one');
    await writeFile(path.join(world.workspace, 'src/a.ts'), 'let a = 1;\n');
    await symlink('.env', path.join(world.workspace, 'AGENTS.md'));
  });
  const window = useChatWindow({
    files: {},
    existingFolder: () => marked.world.workspace,
    hasSecondExtension: true,
    // VS Code's own git would run what the repositories name.
    settings: { 'files.autoSave': 'off', 'git.enabled': false },
    env: secretVariables(SEED),
  });
  const rows = () => window.workbench.page.locator('.quick-input-widget .monaco-list-row');
  const lastMessage = async (request: number) => String((await window.request(request)).body.messages.at(-1)?.content);
  const toolNames = async (request: number) =>
    ((await window.request(request)).body.tools ?? []).map((tool) => tool.function.name);

  describe('a tool that an extension registers', () => {
    const shout = { toolCalls: [{ name: 'ext__shout', arguments: { text: 'hello\u202E' } }] };

    it('asks on a card that names its extension, and runs once allowed', async () => {
      await new Chat(() => window.workbench).show();
      await window.workbench.runCommand('Second: Register Tool');
      await window.ask('Shout', shout, { text: 'Shouted.' });
      await window.panel.getByText('Run shout of the extension open-agent-test.second with:').waitFor();
      const given = await window.panel.getByLabel('Arguments').innerText();
      assert.match(given, /^\{\s+"text": "hello<U\+202E>"\s+\}$/);
      await window.panel.getByText('No rule allows this tool').waitFor();
      await window.workbench.screenshot('e2e-extension-tool');
      await window.button('Run').click();
      await window.untilAnswered('Shouted.');
      assert.ok((await toolNames(1)).includes('ext__shout'));
      assert.equal(await lastMessage(2), 'HELLO\u202E!');
    });

    it('is refused after it was removed, and missing from the next message', async () => {
      await window.ask('Shout again', shout, { text: 'I cannot.' });
      await window.button('Run').waitFor();
      await window.workbench.runCommand('Second: Take Tool Back');
      await window.button('Run').click();
      await window.untilAnswered('I cannot.');
      assert.match(
        await lastMessage(2),
        /^The tool shout of the extension .* is not there any more\. Nothing was done\./,
      );
      await window.ask('And now?', { text: 'It is gone.' });
      await window.untilAnswered('It is gone.');
      assert.equal((await toolNames(1)).includes('ext__shout'), false);
    });
  });

  describe('a tool that an extension registers in VS Code', () => {
    const weather = { toolCalls: [{ name: 'vscode__second_weather', arguments: { place: 'Ulm' } }] };

    it('is not offered to the model before the person selects it', async () => {
      await window.ask('Hi', { text: 'Hi.' });
      await window.untilAnswered('Hi.');
      assert.deepEqual(
        (await toolNames(1)).filter((name) => name.startsWith('vscode__')),
        [],
      );
      await window.workbench.startCommand('Open Agent: Select Tools of Other Extensions…');
      // Tools of extensions come before tools of VS Code.
      const row = rows().first();
      await row.getByText('second_weather').waitFor();
      assert.match(await row.innerText(), /open-agent-test\.second\s+The weather of a place\./);
      await window.workbench.screenshot('e2e-extension-tools');
      await row.getByText('second_weather').click();
      await window.workbench.page.locator('.quick-input-widget').getByText('1 Selected').waitFor();
      await window.workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
      await rows().first().waitFor({ state: 'hidden' });
    });

    it('asks, runs, and returns its result as text', async () => {
      await window.ask('Weather?', weather, { text: 'Sunny.' });
      await window.panel.getByText('Run second_weather of the extension open-agent-test.second with:').waitFor();
      await window.button('Run').click();
      await window.untilAnswered('Sunny.');
      assert.deepEqual(
        (await toolNames(1)).filter((name) => name.startsWith('vscode__')),
        ['vscode__second_weather'],
      );
      assert.equal(await lastMessage(2), 'Sunny in Ulm.\n\n{\n\t"degrees": 21\n}\n\n[image/png, 3 bytes: not shown]');
    });

    it('is stopped from its card, and reports its errors to the model', async () => {
      const call = (place: string) => ({ toolCalls: [{ name: 'vscode__second_weather', arguments: { place } }] });
      await window.ask('Weather?', call('slow'), call('nowhere'), { text: 'None.' });
      await window.button('Run').click();
      await window.panel.getByRole('button', { name: /^Stop: Run/ }).click();
      await window.button('Run').click();
      await window.untilAnswered('None.');
      assert.match(await lastMessage(2), /^The user stopped this tool call\./);
      assert.match(await lastMessage(3), /There is no weather there\./);
    });
  });

  describe('VS Code’s own chat view', () => {
    const page = () => window.workbench.page;
    const chatView = () => page().locator('.interactive-session');
    const edit = {
      toolCalls: [{ name: 'apply_edit', arguments: { path: 'src/a.ts', edits: [{ old_text: '1', new_text: '2' }] } }],
    };

    async function send(text: string): Promise<void> {
      await page().locator('.interactive-input-part .monaco-editor').first().click();
      await page().keyboard.insertText(text);
      await page().keyboard.press('Enter');
    }

    it('answers as @openagent, and asks on a card that names its origin', async () => {
      await window.workbench.runCommand('Open Agent: New Session');
      await window.workbench.runCommand('Chat: Open Chat');
      window.expect(
        { text: 'I will.\n\n<b>bold</b> [close](command:workbench.action.toggleSidebarVisibility)', ...edit },
        { text: 'It is two now.' },
      );
      await send('@openagent Make it two');
      await page().getByRole('button', { name: 'Show Question' }).click();
      await window.panel.getByText('The chat @openagent in VS Code asks for this.').waitFor();
      // Text of the model is not rendered as HTML and links to no command.
      const written = chatView().locator('p').filter({ hasText: '<b>bold</b> close' });
      assert.equal(await written.locator('b, a[href^="command"], a[data-href^="command"]').count(), 0);
      await window.workbench.screenshot('e2e-chat-participant');
      await window.button('Accept').click();
      await chatView().getByText('It is two now.').waitFor();
      assert.equal(await window.read('src/a.ts'), 'let a = 2;\n');
      await window.untilAnswered('It is two now.');
    });

    it('continues the same session', async () => {
      window.expect({ text: 'One line.' });
      await send('How long is it?');
      await chatView().getByText('One line.').waitFor();
      const { messages } = (await window.request(1)).body;
      assert.deepEqual(
        messages.filter(({ role }) => role === 'user').map(({ content }) => content),
        ['Make it two', 'How long is it?'],
      );
      await window.panel.getByText('How long is it?', { exact: true }).waitFor();
    });

    it("stops with VS Code's own key for its chat", async () => {
      const gate = createGate();
      window.expect({ text: ['Counting', gate, ' on'] });
      await send('Count');
      await chatView().getByText('Counting', { exact: true }).waitFor();
      await page().keyboard.press('Control+Escape');
      assert.equal(await (await window.request(1)).closed, 'broken');
      gate.open();
      await window.untilIdle();
    });
  });

  describe('a folder full of secrets', () => {
    const prompt = 'Read @"../outside/notes.txt" and @link-home/.ssh/id_ed25519';
    /** What a model tries that was told to find secrets. */
    const attacks = [
      ...[read('.env'), read('hard.txt'), read('link-notes.txt'), read('../home/.ssh/id_ed25519'), list('../outside')],
      ...[search('TOKEN'), search('TOKEN', { include: '{.env,**/*.{key,tfstate,tfvars}}' })],
      search('TOKEN', { include: '{a,.env}'.repeat(30) }),
      ...[edit('.env', 'no such text'), edit('config/prod.env', 'MODE'), write('.rgignore', '!.env')],
      ...[run('cat .env'), run('git diff -U ../outside/notes.txt a.txt'), run('ls -R --dereference')],
      ...[run('grep -r TOKEN .'), run('git grep -h TOKEN'), run('npm test', { cwd: 'node_modules/evil' })],
    ];
    const page = () => window.workbench.page;
    const no = () => window.panel.getByRole('button', { name: /^(?:Deny|Reject)$/, disabled: false });

    before(async () => {
      await new Chat(() => window.workbench).show();
      await marked.world.accept();
    });

    /** Says no to every question until the answer is there. Resolves with the number of questions. */
    async function denyAll(answer: string): Promise<number> {
      const answered = window.panel.locator('.markdown').getByText(answer, { exact: true }).last();
      for (let questions = 0; ; questions += 1) {
        await answered.or(no().first()).first().waitFor();
        // The buttons of a question that has just moved are disabled for a moment.
        if ((await answered.count()) > 0) return questions;
        await no().first().click();
      }
    }

    /**
     * Nothing that was sent, and nothing that VS Code keeps, has a mark. Earlier contents of files are kept for going
     * back.
     */
    async function assertNothingLeaked(): Promise<void> {
      const { world } = marked;
      const kept = await takeSnapshot(window.workbench.server.serverDataDir, (name) => name.endsWith('/checkpoints'));
      const sent = window.server.requests.map(({ path: name, text }) => `${name} ${text}`);
      const log = [...kept].map(([name, { content }]) => `${name}\n${content}`).join('\n');
      assert.deepEqual(await findBreaches({ sent, offers: [], log, questions: [] }, 'one', world), []);
    }

    it('is not told through the panel when the person says no', async () => {
      await window.ask('Look around', { toolCalls: attacks }, { text: 'I looked around.' });
      await no().first().waitFor();
      await window.workbench.screenshot('e2e-leaks-panel');
      assert.equal((await denyAll('I looked around.')) > 5, true);
      await window.untilIdle();
      const results = (await window.request(2)).body.messages.filter(({ role }) => role === 'tool');
      assert.equal(results.length, attacks.length);
      // Too many alternatives are refused and block nothing.
      const ofBraces = results[attacks.findIndex((call) => JSON.stringify(call).includes('}{'))];
      assert.match(String(ofBraces?.content), /alternatives/);
      await assertNothingLeaked();
    });

    it('is not told through @openagent', async () => {
      await window.workbench.runCommand('Chat: Open Chat');
      window.expect({ toolCalls: attacks.filter((_, index) => index % 3 === 0) }, { text: 'I found none.' });
      await page().locator('.interactive-input-part .monaco-editor').first().click();
      await page().keyboard.insertText(`@openagent ${prompt} please`);
      await page().keyboard.press('Enter');
      await window.request(1);
      await page().getByRole('button', { name: 'Show Question' }).last().click();
      assert.equal((await denyAll('I found none.')) > 3, true);
      await window.untilIdle();
      await assertNothingLeaked();
    });

    it('is not told to an extension that uses a model', async () => {
      window.expect({ toolCalls: [read('.env')] });
      await window.workbench.startCommand('Second: Ask Model');
      await page().locator('.quick-input-widget').getByText('Prompt').waitFor();
      await page().keyboard.insertText(prompt);
      await page().keyboard.press('Enter');
      const { body } = await window.request(1);
      assert.deepEqual(
        body.messages.map(({ content }) => content),
        [prompt],
      );
      await window.workbench.notification('The model said [{"callId"');
      await window.workbench.screenshot('e2e-leaks-model');
      await window.workbench.hideNotifications();
      await assertNothingLeaked();
    });

    it('has no secrets of the environment in a command that was allowed', async () => {
      await window.ask('Which variables?', { toolCalls: [run('env')] }, { text: 'Those.' });
      await window.button('Run').click();
      await window.untilAnswered('Those.');
      assert.match(await lastMessage(2), /^PATH=/m);
      await window.workbench.screenshot('e2e-leaks-environment');
      await assertNothingLeaked();
    });
  });
});
