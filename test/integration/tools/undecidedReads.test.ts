import fc from 'fast-check';
import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createApprovalHook } from '../../../src/agent/approval/approvalHook';
import type { PermissionMode } from '../../../src/agent/view/permissionModes';
import { executeCall, prepareCall } from '../../../src/sdk/run/toolCalls/toolRunner';
import { createToolRegistry } from '../../../src/sdk/run/toolCalls/toolRegistry';
import { contentToText } from '../../../src/sdk/tool';
import type { JsonObject } from '../../../src/util/json';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import type { FileSystem } from '../../../src/workspace/ports';
import { createTools } from '../../../src/workspace/tools/createTools';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { systemTimer } from '../../../src/util/timer';

/** What is at a protected place: a file with a text, a folder, or nothing. */
type Secret = { readonly text: string } | 'a folder' | 'nothing';

/** Places whose content nobody may know. In the first, existence may be known, so there is always a file. */
const FILES = ['w/.env', 'w/certs/server.key'] as const;
/** Places of which not even existence may be known. */
const HIDDEN = ['out/maybe', 'w/deep/.ssh/id_rsa'] as const;

const NAMES = [
  ...['.env', 'copy.txt', 'certs/server.key', 'deep/.ssh/id_rsa', 'deep/.ssh/id_rsa/x', '../out/maybe'],
  ...['../out/maybe/x', 'link/maybe', 'link/maybe/x', 'direct', 'direct/x', '.', 'deep', 'deep/../.env', './.env'],
];

/** Words that occur in secrets, so that guesses can be right. */
const WORDS = ['TOKEN=', 'alpha', 'x', '\n', ' ', '{}'];

describe('before reading is decided', () => {
  let outer: TemporaryFolder;
  let root: string;

  before(async () => {
    outer = await createTemporaryFolder({
      'w/src/a.ts': 'export const a = 1;\n',
      'w/deep/.ssh/config': '',
      'out/x': '',
    });
    root = path.join(outer.path, 'w');
    await mkdir(path.join(root, 'certs'));
    await symlink('.env', path.join(root, 'copy.txt'));
    await symlink('../out', path.join(root, 'link'));
    await symlink('../out/maybe', path.join(root, 'direct'));
    await symlink('.ssh/id_rsa', path.join(root, 'deep/key'));
    await symlink('../out/maybe', path.join(root, '.gitignore'));
  });
  after(() => outer.dispose());

  async function put(place: string, secret: Secret): Promise<void> {
    const file = path.join(outer.path, place);
    await rm(file, { recursive: true, force: true });
    if (secret === 'a folder') await mkdir(file);
    else if (secret !== 'nothing') await writeFile(file, secret.text);
  }

  /** What the model and the person are told about a call that is denied, and the protected paths that were opened. */
  async function tell(name: string, input: JsonObject, mode: PermissionMode) {
    const said: string[] = [];
    const opened: string[] = [];
    const ports = createNodePorts();
    const fileSystem = watched(ports.fileSystem, (file) => {
      const place = path.relative(outer.path, file);
      if (/(?:^out|\.env$|copy\.txt$|server\.key$|\.ssh|^w\/link)/.test(place)) opened.push(place);
    });
    const tools = createTools({ ports: { ...ports, fileSystem }, roots: () => [{ name: 'w', path: root }] });
    const hook = createApprovalHook({
      ask: ({ plan, reason }) => {
        said.push(`${plan.kind}: ${reason}`);
        return Promise.resolve({ action: 'deny' });
      },
      isTrusted: () => true,
      mode: () => mode,
    });
    const parts = {
      registry: createToolRegistry(tools),
      preToolUse: [hook],
      postToolUse: [],
      stopGraceMs: 0,
      setTimer: systemTimer,
    };
    const { signal } = new AbortController();
    const call = { type: 'tool_use', id: 'c', name, input } as const;
    const prepared = await prepareCall(parts, call, signal);
    if (!prepared.ok) {
      assert.ok('error' in prepared);
      return { said: [...said, prepared.error], opened };
    }
    const options = {
      signal,
      runSignal: signal,
      progress: () => {},
      toContent: (output: { content: unknown }) => output.content,
    };
    const { result } = await executeCall(parts, call, prepared, options as Parameters<typeof executeCall>[3]);
    return { said: [...said, contentToText(result.content)], opened };
  }

  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(''));
  const name = fc.constantFrom(...NAMES);
  const call: fc.Arbitrary<readonly [string, JsonObject]> = fc.oneof(
    fc.record({ path: name, old_text: text, new_text: text }).map((input) => ['apply_edit', input] as const),
    fc.record({ path: name, content: text }).map((input) => ['write_file', input] as const),
    fc.record({ path: name }).map((input) => ['read_file', input] as const),
    fc.record({ path: name }).map((input) => ['list_directory', input] as const),
    fc.record({ path: name, pattern: text }).map((input) => ['search_text', input] as const),
    fc.record({ command: fc.constant('ls'), cwd: name }).map((input) => ['run_terminal_command', input] as const),
  );
  const file = text.map((written): Secret => ({ text: written }));
  const files = fc.record({ 'w/.env': file, 'w/certs/server.key': file });
  const secret: fc.Arbitrary<Secret> = fc.oneof(file, fc.constant<Secret>('a folder'), fc.constant<Secret>('nothing'));
  const hidden = fc.record({ 'out/maybe': secret, 'w/deep/.ssh/id_rsa': secret });
  const mode = fc.constantFrom<PermissionMode>('plan', 'ask', 'acceptEdits');

  it('answers and questions do not depend on what is in protected files, or on what is outside', async () => {
    const world = fc.tuple(files, hidden);
    const property = fc.asyncProperty(world, world, call, mode, async (one, other, [tool, input], permission) => {
      const told: unknown[] = [];
      for (const [contents, maybes] of [one, other]) {
        for (const place of FILES) await put(place, contents[place]);
        for (const place of HIDDEN) await put(place, maybes[place]);
        const { said, opened } = await tell(tool, input, permission);
        assert.deepEqual(opened, []);
        told.push(said);
      }
      assert.deepEqual(told[0], told[1]);
    });
    await fc.assert(property, { numRuns: 400 });
  });
});

/** The file system, which tells of each path that is opened, listed or read. */
function watched(fileSystem: FileSystem, onOpen: (file: string) => void): FileSystem {
  const watch =
    <Rest extends readonly unknown[], Result>(method: (file: string, ...rest: Rest) => Result) =>
    (file: string, ...rest: Rest): Result => {
      onOpen(file);
      return method(file, ...rest);
    };
  return {
    ...fileSystem,
    readSlice: watch(fileSystem.readSlice),
    openText: watch(fileSystem.openText),
    writeText: watch(fileSystem.writeText),
    listDirectory: watch(fileSystem.listDirectory),
  };
}
