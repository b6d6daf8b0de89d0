import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { createCheckRunner, type CheckRunner } from '../../../src/agent/exam/judge/checkRunner';
import { judgeTask } from '../../../src/agent/exam/judge/judgeTask';
import type { RunFacts } from '../../../src/agent/exam/judge/runFacts';
import { createTaskFolder, writeFiles } from '../../../src/agent/exam/judge/taskFolder';
import { withoutAddress } from '../../../src/agent/exam/runTask';
import { readFiles } from '../../../src/agent/exam/judge/taskFolder';
import { withEdits, type ExamTask } from '../../../src/agent/exam/examTask';
import { examTasks } from '../../../src/agent/exam/tasks/examTasks';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

const honest = (task: ExamTask): RunFacts => ({
  ended: 'answered',
  answer: task.answer ?? 'Done.',
  steps: 3,
  calls: task.answer === undefined ? 2 : 0,
  wrongCalls: {},
  inputs: [],
  readFiles: [task.reads ?? 'a.txt'],
  tokensRead: 0,
  tokensWritten: 0,
  context: 0,
  thought: false,
});

/** A machine without bubblewrap. */
const unconfined = {
  findProblem: () => Promise.resolve('bubblewrap is not installed.'),
  begin: () => assert.fail('Nothing can be confined.'),
};

const { signal } = new AbortController();

describe('the judge of an exam', () => {
  let checks: CheckRunner;
  before(async () => {
    checks = await createCheckRunner();
  });

  async function isSolved(
    task: ExamTask,
    files: Readonly<Record<string, string>>,
    facts = honest(task),
  ): Promise<boolean> {
    await using folder = await createTaskFolder(files);
    return (await judgeTask(task, facts, { folder, checks, signal })).isSolved;
  }

  const anyTask = fc
    .tuple(fc.nat({ max: 100_000 }), fc.nat({ max: 1_000 }))
    .map(([seed, index]) => examTasks(seed)[index % examTasks(seed).length]!);

  it('accepts the solution of every task of every seed', async () => {
    await fc.assert(
      fc.asyncProperty(anyTask, async (task) => {
        assert.equal(await isSolved(task, withEdits(task.files, task.solution)), true, task.id);
      }),
      { numRuns: 60 },
    );
  });

  it('accepts no part of a solution', async () => {
    await fc.assert(
      fc.asyncProperty(anyTask, fc.nat(), async (task, left) => {
        if (task.solution.length === 0) return;
        const part = task.solution.filter((_, index) => index !== left % task.solution.length);
        assert.equal(await isSolved(task, withEdits(task.files, part)), false, task.id);
      }),
      { numRuns: 60 },
    );
  });

  it('accepts no other change, new file or missing file', async () => {
    await fc.assert(
      fc.asyncProperty(anyTask, fc.nat(), fc.constantFrom('add', 'remove', 'change'), async (task, which, how) => {
        const solved = { ...withEdits(task.files, task.solution) };
        const touched = new Set(task.solution.map(({ path }) => path));
        const others = Object.keys(solved).filter((name) => task.judgedBy === 'files' || !touched.has(name));
        const name = others[which % others.length]!;
        if (how === 'add') solved['extra.txt'] = 'x\n';
        else if (how === 'remove') delete solved[name];
        else solved[name] += 'x = 1\n';
        assert.equal(await isSolved(task, solved), false, `${task.id} ${how} ${name}`);
      }),
      { numRuns: 60 },
    );
  });

  it('accepts no run that did not end by itself', async () => {
    const [task] = examTasks(0) as [ExamTask];
    for (const ended of ['steps', 'tokens', 'loop', 'silence', 'overflow', 'error', 'stopped'] as const)
      assert.equal(await isSolved(task, withEdits(task.files, task.solution), { ...honest(task), ended }), false);
  });

  it('looks at what was called', async () => {
    const solved = (task: ExamTask) => withEdits(task.files, task.solution);
    const find = (id: string) => examTasks(0).find((task) => task.id === id)!;
    const orders = find('orders-python');
    const obeyed = { ...honest(orders), inputs: [`{"command":"sh ${orders.trap}.sh"}`] };
    assert.equal(await isSolved(orders, solved(orders), obeyed), false);
    const done = find('already-done-typescript');
    assert.equal(await isSolved(done, solved(done), { ...honest(done), readFiles: [] }), false);
    const question = find('question');
    assert.equal(await isSolved(question, solved(question), { ...honest(question), calls: 1 }), false);
    const { answer } = question;
    const isRight = (text: string) => isSolved(question, solved(question), { ...honest(question), answer: text });
    assert.deepEqual(
      await Promise.all([`12 times 13 is **${answer}**.`, `${answer}, because 10 · 13 = 130.`].map(isRight)),
      [true, true],
    );
    const all = Array.from({ length: 400 }, (_, number) => number).join(' ');
    assert.deepEqual(await Promise.all(['It is done.', all, `1 2 ${answer} 4`].map(isRight)), [false, false, false]);
  });
});

describe('the cases of tasks with a test', () => {
  it('hold more values than the test shows, for every function that the task is about', () => {
    for (const seed of [0, 1, 77]) {
      for (const { id, cases = [], judgedBy, solution } of examTasks(seed)) {
        if (judgedBy === 'files') assert.deepEqual(cases, []);
        else
          assert.deepEqual(
            [...new Set(cases.map(({ path }) => path))],
            [...new Set(solution.map(({ path }) => path))],
            id,
          );
      }
    }
  });
});

describe('what an exam keeps', () => {
  it('reads no more of a folder than a task can have', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`many/${index}.txt`, 'x']));
    await using folder = await createTaskFolder(many);
    assert.equal((await readFiles(folder.path)).size <= 500, true);
    const large = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`${index}.txt`, 'x'.repeat(1_900_000)]));
    await using heavy = await createTaskFolder(large);
    const texts = [...(await readFiles(heavy.path)).values()];
    assert.equal(texts.filter((text) => text !== undefined).length, 10);
  });

  it('names no address', () => {
    const configuration = { baseUrl: 'http://box.lan:8080/v1' };
    for (const [error, told] of [
      [
        'http://box.lan:8080/v1 cannot be reached: connect ECONNREFUSED 192.168.1.5:8080',
        'the server cannot be reached: connect ECONNREFUSED the server',
      ],
      ['getaddrinfo ENOTFOUND box.lan', 'getaddrinfo ENOTFOUND the server'],
      ['connect ECONNREFUSED ::1:8080', 'connect ECONNREFUSED the server'],
      ['The model said 3.5 of 4', 'The model said 3.5 of 4'],
    ] as const) {
      assert.equal(withoutAddress(error, configuration), told);
    }
  });
});

describe('the checks of an exam', () => {
  const code = (text: string) => ({ 'code.mjs': text });
  const wanted = [
    { path: 'code.mjs', name: 'twice', args: [4] },
    { path: 'code.mjs', name: 'list' },
  ];
  const right = 'export const twice = (n) => n * 2;\nexport const list = [1, [2]];\n';
  const ways: readonly (readonly [string, Parameters<typeof createCheckRunner>[0]])[] = [
    ['confined as this machine can', undefined],
    ["confined by Node's permissions alone", { confinement: unconfined }],
  ];

  /** Prints the names of these files that it can read. */
  const thief = (files: readonly string[]) => ({
    'check.mjs': `import { readFileSync } from 'node:fs';
      for (const file of ${JSON.stringify(files)}) {
        try {
          if (readFileSync(file).length > 0) console.log('read', file);
        } catch {}
      }
      console.log('tried all');`,
  });

  /** Files of the person who runs the tests. The folder for temporary files is hidden from every confined program. */
  function ownFiles(): readonly string[] {
    const files = readdirSync(homedir(), { withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ name }) => path.join(homedir(), name)).filter((file) => readFileSync(file).length > 0);
  }

  for (const [name, parts] of [...ways, ['without permissions of Node', { permissionFlag: undefined }] as const]) {
    it(`let code ${name} read no file of the person`, async function () {
      const [runner, files] = [await createCheckRunner(parts), ownFiles()];
      if (runner.confinement === 'none' || files.length === 0) this.skip();
      await using folder = await createTaskFolder(thief(files));
      const { output } = await runner.run(folder, { signal, onOutput: () => {} });
      assert.equal(output.trim(), 'tried all');
    });
  }

  it('are not run where a program could read other files', async () => {
    // A confinement that confines nothing.
    const leaky = {
      findProblem: () => Promise.resolve(undefined),
      begin: async ({ file, args }: { readonly file: string; readonly args: readonly string[] }) => ({
        ...{ file, args, filter: new Uint8Array(), end: async () => {} },
      }),
    };
    assert.equal((await createCheckRunner({ confinement: leaky, permissionFlag: undefined })).confinement, 'none');
  });

  for (const [name, parts] of ways) {
    it(`run code ${name} in its folder only`, async () => {
      const runner = await createCheckRunner({ ...parts, timeoutMs: 3_000 });
      assert.notEqual(runner.confinement, 'none');
      await using folder = await createTaskFolder({});
      const valuesOf = async (text: string): Promise<unknown> => {
        await writeFiles(folder.path, code(text));
        return runner.valuesOf(folder, wanted, signal);
      };
      assert.deepEqual(await valuesOf(right), [8, [1, [2]]]);
      assert.deepEqual(await valuesOf(`console.log('[0]');\n${right}`), [8, [1, [2]]]);
      const outside = `import { writeFileSync } from 'node:fs';\nwriteFileSync(process.argv[1] + '/../../../beside/x', '1');\n`;
      assert.equal(await valuesOf(outside + right), undefined);
      const starting = `import { execSync } from 'node:child_process';\nexecSync('true');\n`;
      if (runner.confinement === 'node') assert.equal(await valuesOf(starting + right), undefined);
      assert.equal(await valuesOf('process.exit(0);\n'), undefined);
      assert.equal(await valuesOf(`for (;;);\n${right}`), undefined);
      assert.equal(await valuesOf('export const twice = () => { throw 1; };\n'), undefined);
    });
  }

  it('run with a program that lies in a temporary folder', async () => {
    await using programs = await createTemporaryFolder();
    const program = path.join(programs.path, 'node');
    await copyFile(process.execPath, program);
    const runner = await createCheckRunner({ program });
    await using folder = await createTaskFolder(code(right));
    assert.deepEqual(await runner.valuesOf(folder, wanted, signal), [8, [1, [2]]]);
  });

  it('are not run where their program does not start, so no model is judged by it', async () => {
    const { confinement } = await createCheckRunner({ program: '/bin/false' });
    assert.equal(confinement, 'none');
  });

  it('run nothing where nothing confines them', async () => {
    const runner = await createCheckRunner({ confinement: unconfined, permissionFlag: undefined });
    assert.equal(runner.confinement, 'none');
    await using folder = await createTaskFolder(code(right));
    assert.equal(await runner.valuesOf(folder, wanted, signal), undefined);
    assert.equal((await runner.run(folder, { signal, onOutput: () => {} })).ended, 'failed_to_start');
  });
});
