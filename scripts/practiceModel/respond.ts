import { currentTurn } from './chatRequest';
import type { ChatRequest, CurrentTurn, ToolStep } from './chatRequest';
import { explainFile } from './explainFile';

/** The text of the practice model, and at most one tool call after it. */
export interface PracticeAnswer {
  readonly text: string;
  readonly toolCall?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } | undefined;
}

const introduction =
  'I am no AI: this is a scripted practice model, so that you can try the agent without a model server.';

const helpText = [
  'I can play through three things in the sample workspace:',
  '',
  '- **"Explain src/cart.js"**: I read a file and describe what is in it.',
  '- **"Find the bug and fix it"**: I propose an edit for you to accept or reject, then ask to run the tests.',
  '- **"Run the tests"**: I ask to run `npm test` and report what came out.',
  '',
  'For real work, point the setting `openAgent.baseUrl` at a server such as llama.cpp, Ollama, LM Studio or vLLM.',
].join('\n');

const defaultFile = 'src/cart.js';
const testCommand = 'npm test';

/** The only bug the script knows: the sample workspace subtracts the discount as an amount. */
const knownBug = /^(\s*)return (\w+) - percent;$/m;

/** The script gives the same conversation the same answer. Its facts come only from tool results. */
export function respond(request: ChatRequest): PracticeAnswer {
  const turn = currentTurn(request.messages);
  const answer = answerTo(turn, new Set((request.tools ?? []).map((tool) => tool.function.name)));
  const speaksFirst = turn.isFirst && turn.steps.length === 0;
  return speaksFirst ? { ...answer, text: `${introduction}\n\n${answer.text}` } : answer;
}

function answerTo(turn: CurrentTurn, tools: ReadonlySet<string>): PracticeAnswer {
  const last = turn.steps.at(-1);
  if (last?.result !== undefined && wasRefused(last.result)) {
    return { text: `The answer was no, so I stop here. I was told: "${firstLine(last.result)}"` };
  }
  const next = scripts[intentOf(turn.prompt)](turn, last);
  if (next.toolCall === undefined || tools.has(next.toolCall.name)) return next;
  return { text: `I would use the tool \`${next.toolCall.name}\` now, but it is not among those I was offered.` };
}

type Intent = 'explain' | 'fix' | 'runTests' | 'help';

const scripts: Readonly<Record<Intent, (turn: CurrentTurn, last: ToolStep | undefined) => PracticeAnswer>> = {
  explain,
  fix,
  runTests,
  help: () => ({ text: helpText }),
};

function intentOf(prompt: string): Intent {
  // The prompt includes selected code, whose words are not the person's.
  const words = prompt.replaceAll(/(`{3,})[\s\S]*?\1/g, '');
  if (/\b(fix|repair|correct|mend|change|edit|bug|improve|failing|fails)\b/i.test(words)) return 'fix';
  if (/\b(run|execute|start)\b[^.?!]*\btests?\b|\bnpm test\b/i.test(words)) return 'runTests';
  if (/\b(explain|what|how|why|describe|summari[sz]e|read|show|tell)\b/i.test(words) || mentionedFile(words)) {
    return isAboutItself(words) ? 'help' : 'explain';
  }
  return 'help';
}

function isAboutItself(words: string): boolean {
  return mentionedFile(words) === undefined && /\b(you|your)\b/i.test(words);
}

function mentionedFile(text: string): string | undefined {
  return /[\w@./-]*[\w-]\.(?:[cm]?[jt]sx?|json|md|py|rs|go|java|c|h|cpp|css|html|ya?ml|toml|txt)\b/.exec(text)?.[0];
}

function explain(turn: CurrentTurn, last: ToolStep | undefined): PracticeAnswer {
  const path = mentionedFile(turn.prompt) ?? defaultFile;
  if (last === undefined) {
    return { text: `I will read \`${path}\` first.`, toolCall: { name: 'read_file', arguments: { path } } };
  }
  const file = readFileResult(last.result ?? '');
  if (file === undefined) return { text: `I could not read \`${path}\`: ${firstLine(last.result ?? '')}` };
  return { text: explainFile(path, file) };
}

function fix(turn: CurrentTurn, last: ToolStep | undefined): PracticeAnswer {
  const mentioned = mentionedFile(turn.prompt);
  const path = mentioned !== undefined && !/\.md$|test/.test(mentioned) ? mentioned : defaultFile;
  switch (last?.name) {
    case undefined:
      return { text: `I will look at \`${path}\` first.`, toolCall: { name: 'read_file', arguments: { path } } };
    case 'read_file':
      return proposeFix(path, last.result ?? '');
    case 'apply_edit':
      if (!wasApplied(last.result ?? '')) return { text: `The edit did not go in: ${firstLine(last.result ?? '')}` };
      return runTestsAfter('The edit is in. Now I will run the tests, if you let me.');
    default:
      return reportTests(last?.result ?? '');
  }
}

function proposeFix(path: string, result: string): PracticeAnswer {
  const file = readFileResult(result);
  if (file === undefined) return { text: `I could not read \`${path}\`: ${firstLine(result)}` };
  const bug = knownBug.exec(file);
  if (bug === null) {
    return {
      text: `I know one mistake only, the discount in the sample workspace, and it is not in \`${path}\`. Say "run the tests" and I will.`,
    };
  }
  const [oldText, indent = '', amount = 'cents'] = bug;
  const newText = `${indent}return Math.round(${amount} * (1 - percent / 100));`;
  return {
    text: 'Here it is: the discount is a percentage, but it is taken off as if it were an amount. I propose this edit.',
    toolCall: { name: 'apply_edit', arguments: { path, edits: [{ old_text: oldText, new_text: newText }] } },
  };
}

function runTests(_turn: CurrentTurn, last: ToolStep | undefined): PracticeAnswer {
  return last === undefined ? runTestsAfter('I will run the tests.') : reportTests(last.result ?? '');
}

function runTestsAfter(text: string): PracticeAnswer {
  return { text, toolCall: { name: 'run_terminal_command', arguments: { command: testCommand } } };
}

/** Reads the counts of `node --test`, in both of its formats. */
function reportTests(result: string): PracticeAnswer {
  const count = (name: string): number | undefined => {
    const found = new RegExp(`^[^\\w\\n]*${name} (\\d+)`, 'm').exec(result)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [passed, failed] = [count('pass'), count('fail')];
  if (passed === undefined || failed === undefined) {
    return { text: `I cannot find test counts in what came back. Its first line: "${firstLine(result)}"` };
  }
  if (failed === 0) return { text: `All ${passed} tests pass.` };
  const names = [...result.matchAll(/^\s*(?:not ok \d+ -|✖) (.+?)(?: \([\d.]+ms\))?$/gm)].map(
    ([, name]) => `- ${name}`,
  );
  const list = names.length === 0 ? '' : `:\n\n${[...new Set(names)].join('\n')}`;
  return { text: `${failed} of ${passed + failed} tests fail${list}` };
}

/** A denial or a stopped run. The script does not try another way. */
function wasRefused(result: string): boolean {
  return /\bdenied\b|not executed|is unchanged/i.test(firstLine(result));
}

function wasApplied(result: string): boolean {
  return !/nothing was (?:changed|written)/i.test(result);
}

/** The file text in a result of `read_file`, without the header line. Undefined if the result is a failure. */
function readFileResult(result: string): string | undefined {
  const header = /^.+ \((?:\d+ lines?|lines \d+-\d+ of [^)]*)(?:, with unsaved changes)?\):\n/.exec(result);
  return header === null ? undefined : result.slice(header[0].length);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
