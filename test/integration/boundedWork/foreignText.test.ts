import { readCall } from '../../../src/agent/runSummary/checkKind';
import { FactGatherer } from '../../../src/agent/exam/judge/runFacts';
import { quantisationOf } from '../../../src/agent/exam/results/quantisation';
import { isSameText, namesNumber } from '../../../src/agent/exam/judge/compareTexts';
import { scriptText } from '../../../src/agent/runSummary/scriptText';
import { foundPiece } from '../../../src/agent/sessionFiles/search/foundPiece';
import type { EntryOf } from '../../../src/sdk/session/entries';
import assert from 'node:assert/strict';
import { readCall as readSlashCall } from '../../../src/agent/customization/expandCommand';
import { readFindings } from '../../../src/agent/review/readFindings';
import { readFrontMatter } from '../../../src/agent/customization/frontMatter';
import { withoutRepeats } from '../../../src/agent/context/projectRules';
import { rulesHeading, sectionsIn, withoutSections } from '../../../src/agent/view/prompt/instructionSections';
import { fillPrompt } from '../../../src/agent/customization/promptFiles';
import { changesContext } from '../../../src/agent/prompts/changes';
import { allProblemsContext } from '../../../src/agent/prompts/problems';
import { terminalContext } from '../../../src/agent/prompts/terminal';
import { findMentions, withoutMention } from '../../../src/agent/view/prompt/mentionText';
import { findResources, readArguments, readPromptCall } from '../../../src/agent/mcp/serverReferences';
import { parsePermissionRule } from '../../../src/agent/approval/rules/permissionRules';
import { serverInstructions } from '../../../src/agent/prompts/serverInstructions';
import { readCommand } from '../../../src/cli/chat/chatCommand';
import { safeTerminalText } from '../../../src/cli/terminal/safeTerminalText';
import { judgeRequest } from '../../../src/bridge/allowedRequests';
import { pretendedAddress } from '../../../src/host/actions/misleadingLink';
import { readContinueYaml } from '../../../src/agent/importSettings/continueConfig';
import { readMcpSettings } from '../../../src/agent/importSettings/mcpFile';
import { readModeFile } from '../../../src/agent/importSettings/modeItems';
import { readRuleFile } from '../../../src/agent/importSettings/ruleItem';
import { entryPath } from '../../../src/localModel/archive/safeEntry';
import { readDeviceList, readNvidiaSmi, readRocmSmi } from '../../../src/localModel/machine/gpuReports';
import { PullOutput } from '../../../src/localModel/pull/pullOutput';
import { parseToKeeper } from '../../../src/localModel/run/keeperMessages';
import { resultText } from '../../../src/mcp/resultText';
import { readHarmonyCalls } from '../../../src/sdk/model/calls/harmonyCalls';
import { readRecipients } from '../../../src/sdk/model/calls/functionaryCalls';
import { readHunyuan } from '../../../src/sdk/model/calls/hunyuanCalls';
import { readMiniMaxTags } from '../../../src/sdk/model/calls/miniMaxCalls';
import { readKimiTags } from '../../../src/sdk/model/calls/kimiCalls';
import { readBracketCall, readGemma, readLfm } from '../../../src/sdk/model/calls/literalCalls';
import {
  readFunctionTags,
  readInvokes,
  readNamedFunctions,
  readWrapper,
  readToolCallTag,
} from '../../../src/sdk/model/calls/tagCalls';
import { TEXT_CALL_FORMATS } from '../../../src/sdk/model/calls/textToolCalls';
import { keptWriting, writtenCall } from '../../../src/sdk/model/wire/writtenCall';
import { quotedOutput } from '../../../src/sdk/model/errors/unreadableOutput';
import { isClosed } from '../../../src/sdk/model/calls/textCall';
import {
  readApertus,
  readDeepSeek,
  readFunctools,
  readGigaChat,
  readKimi,
  readMistral,
  readPythonTag,
  readSolar,
} from '../../../src/sdk/model/calls/tokenCalls';
import { missingBrackets, parseToolArguments } from '../../../src/sdk/model/calls/toolArguments';
import {
  isBareCall,
  looksLikeWholeAnswer,
  nameInCutAnswer,
  readWholeAnswer,
} from '../../../src/sdk/model/calls/wholeAnswer';
import { describeHttpError, isContextOverflow } from '../../../src/sdk/model/errors/httpErrors';
import { readContextLimit } from '../../../src/sdk/model/errors/contextLimit';
import { StreamAggregator } from '../../../src/sdk/model/stream/streamAggregator';
import { neutraliseControlTokens } from '../../../src/sdk/model/wire/controlTokens';
import { compileOutputSchema } from '../../../src/sdk/schema/structuredOutput';
import { visibleText } from '../../../src/util/text/visibleText';
import { linkTarget } from '../../../src/webview/markdown/linkTarget';
import { codeMention, codeSymbol, proseMentions } from '../../../src/webview/markdown/mentions';
import { applyEdits } from '../../../src/workspace/edits/applyEdits';
import { splitHunks } from '../../../src/workspace/edits/diff/hunks';
import { unifiedDiff } from '../../../src/workspace/edits/diff/unifiedDiff';
import { canonicalCells, isNotebookJson, matchCells, parseCells } from '../../../src/workspace/notebooks/cellText';
import { withCells } from '../../../src/workspace/notebooks/notebookJson';
import { findPathProblem } from '../../../src/workspace/paths/pathSyntax';
import { protectionTier } from '../../../src/workspace/paths/protectedPaths';
import { findGlobProblem, matchesGlob } from '../../../src/workspace/search/globs';
import { parseIgnoreRules } from '../../../src/workspace/search/ignorePatterns';
import { compilePattern } from '../../../src/workspace/search/searchPattern';
import { parseRule } from '../../../src/workspace/shell/commandRules';
import { readPosixWords } from '../../../src/workspace/shell/parse/posixWords';
import { cleanTerminalText, lastLineOf } from '../../../src/workspace/terminalLines';
import { withoutAddress } from '../../../src/agent/exam/runTask';
import { imageHeaderOf } from '../../../src/sdk/images/imagePart';
import { readImageHeader } from '../../../src/util/images/imageHeader';
import { renamedText } from '../../../src/workspace/tools/navigation/renamedText';
import { isSymbolName } from '../../../src/workspace/tools/navigation/symbolPlaces';
import { parseFind, parseRename, parseSymbol } from '../../../src/workspace/tools/navigation/symbolQuery';
import { nameAt, seemsToDeclare, wordPlaces } from '../../../src/workspace/tools/navigation/wordPlaces';
import { cpuMsOf, findSlowText, type Reader } from '../../support/boundedWork';

const CELLS = ['# %% [python]\n', '\\', '# %%', '\n', '"source"', ' ', '"cell_type"', ':', '// %%', '\r'];
const TAGS = [
  ...['<tool_call>', '</tool_call>', '<function=', '<function=f>', '</function>', '<parameter=p>', '</parameter>'],
  ...['<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>', '<invoke name="f">', '</invoke>'],
  ...[
    '<parameter name="p">',
    '<parameter name=',
    '<function_calls>',
    '</function_calls>',
    '{"name":"f"',
    ',"arguments":{',
  ],
];
const NAMED_FUNCTIONS = ['<function name="f">', '<param name="p">', '<![CDATA[', ']]>', '</param>'];
const TOKENS = [
  ...[
    '[TOOL_CALLS]',
    '[ARGS]',
    '<|python_tag|>',
    '<|tool_call_begin|>',
    '<|tool_call_argument_begin|>',
    '<|tool_call_end|>',
  ],
  ...['<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>', '{"a":1}', '```json\n', '```', ';'],
];
const LITERALS = [
  '<|"|>',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  'a=',
  'a:',
  ',',
  '1',
  'True',
  '--a "b"',
  '<tool_call|>',
  '[/TOOL_CALL]',
  '<|tool_call_end|>',
];
const HARMONY = [
  '<|channel|>',
  'analysis',
  'commentary to=functions.f ',
  '<|message|>',
  '<|end|>',
  '<|call|>',
  '<|start|>assistant',
];
const THINKING = ['<think>', '</think>', '<|im_start|>', '[INST]', '`', '```\n', '~~~', '- ', '> '];
const JSON_PIECES = [
  '{',
  '[',
  '"a":',
  '"\\u',
  "'",
  ',',
  ':',
  '/*',
  '//',
  '{"a":',
  '[{',
  'null',
  '1e',
  '\\\\',
  '...',
  '```json\n',
  '\n```',
];
const YAML_PIECES = [
  ...['models:\n', '- ', '  ', 'a: ', '&a ', '*a', '<<: ', '<<: *a\n', '[*a, *a], ', '!!str ', '%YAML 1.2\n', '---\n'],
  ...['|\n', '>-\n', '# ', "'", '? ', ': ', '\\x41', 'customModes:\n'],
];
const importPlace = { from: 'Test', file: '/home/ada/config.yaml', home: '/home/ada' };
/** These readers refuse a file with an error for people. */
const unlessRefused =
  (read: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return read(text);
    } catch (error) {
      assert.equal(error instanceof Error && !(error instanceof RangeError), true, String(error));
      return undefined;
    }
  };
const LINKS = ['https://', 'www.', 'a@', '@', '#', '://', '.com', ':1', '#L1'];
const PATHS = [
  '.git/',
  '.',
  '~',
  '../',
  '.env',
  'id_',
  '-',
  '_',
  '.json',
  'rc',
  'firebase-adminsdk',
  'service-account',
  '[. ]',
];
const ERRORS = [
  ...[
    'max_tokens',
    'max_seq_len',
    '"loc":',
    'timed out waiting for ',
    'content ',
    'null ',
    'context length',
    ' tokens from the input',
  ],
  ...['stream ', 'tool calls ', 'unsupported ', 'schema ', 'grammar ', '1,', 'maximum context length is 1 '],
];
const TERMINAL = [
  '\u001b[',
  '\u001b]',
  '\u0007',
  '\u001b[31m',
  '\r',
  '\u001bP',
  '\u009b',
  ';',
  '\u200b',
  '\u202e',
  '\u0300',
  'é',
];
const GLOBS = ['*', '**', '**/', '/**', '?', '[', '[a-z]', '[!a]', '{a,b}', '{', '}', ',', '!', '*a', '[[:alpha:]]'];
const MENTIONS = ['@', '@a', '@"', ':1', ':1-', '@s:', '!', "'", ')', '=', '/s:p '];
const SHELL = ['$(', '`', "'", '\\\n', '|', '&&', ';', '<<', '$', '{', '*', '#', '~'];

const spoken: EntryOf<'user_message'> = {
  ...{ v: 1, id: 'e', parentId: null, seq: 0, ts: 0, type: 'user_message' },
  ...{ text: '', contextLabels: [], content: '', origin: 'prompt' },
};

const readers: Readonly<Record<string, Reader>> = {
  findMentions: { read: (text) => findMentions(text), pieces: MENTIONS },
  withoutMention: { read: (text) => withoutMention(text, '@a'), pieces: MENTIONS },
  terminalContext: {
    read: (text) => terminalContext({ terminal: 't', runs: [{ command: text, output: text, isRunning: true }] }),
    pieces: TERMINAL,
  },
  changesContext: {
    read: (text) => changesContext({ title: text, files: [{ path: 'a', change: text }] }),
    pieces: ['`', '\n', '+', '- '],
  },
  allProblemsContext: {
    read: (text) => allProblemsContext([{ displayPath: text, line: 1, isError: true, message: text, source: text }], 0),
    pieces: ['`', '\n', ' ', 'a'],
  },
  findResources: { read: (text) => findResources(text, () => true), pieces: MENTIONS },
  readPromptCall: { read: (text) => readPromptCall(text, () => true), pieces: MENTIONS },
  readArguments: { read: (text) => readArguments(text, ['a', 'b']), pieces: MENTIONS },
  readFindings: {
    read: readFindings,
    pieces: [
      '- ',
      '# ',
      '|',
      '1. ',
      'src/a.ts',
      ':12',
      '-',
      'line ',
      ' of ',
      '(',
      '**',
      '`',
      '```',
      ' ',
      '\n',
      'file: ',
      'a',
      '3',
      '/',
    ],
  },
  readSlashCall: { read: readSlashCall, pieces: ['/', '/a', ' ', '\t', '.'] },
  readFrontMatter: {
    read: (text) => readFrontMatter(`---\n${text.slice(0, 15_000)}\n---\n${text}`),
    pieces: ['---\n', 'name: ', 'a:', '"', "'", '\\', "''", ' #', ' ', '\n', '>', '|', '\r'],
  },
  withoutRepeats: {
    read: (text) =>
      withoutRepeats([
        { name: 'a', text },
        { name: 'b', text: text.slice(3) },
      ]),
    pieces: ['\n', '\r\n', ' ', '\t', '# ', '#', 'a', '@AGENTS.md'],
  },
  instructionSections: {
    read: (text) =>
      withoutSections(`${rulesHeading('AGENTS.md')}\n\`\`\`\n${text}`, new Set(['a', sectionsIn(text)[0]?.id ?? ''])),
    pieces: [
      `${rulesHeading('a')}\n`,
      '```',
      '\n```\n',
      '\n```\n\n',
      'It was cut here; ',
      ' in the repository',
      '\n',
      'a',
    ],
  },
  fillPrompt: {
    read: (text) => fillPrompt(text, new Map([['a', 'b']]), {}),
    pieces: ['${', '${input:', '${input:a', ':', '}', '$', 'file'],
  },
  serverInstructions: {
    read: (text) => serverInstructions([{ server: 's', text }]),
    pieces: ['<', '</', 'mcp_server', '‹'],
  },
  'isSameText of an exam': { read: (text) => isSameText(text, '', 'a.js'), pieces: ['\r\n', '\n', ' ', '\t', 'a'] },
  namesNumber: { read: (text: string) => namesNumber(text, '1'), pieces: ['1', '123', ',', '.', "'", ' '] },
  quantisationOf: {
    read: (text) => quantisationOf(text) ?? '',
    pieces: ['Q4', '_K', '_0', '-', '.', '4-bit', 'IQ2_XXS'],
  },
  'the last answer of an exam': {
    read: (text) => {
      const gatherer = new FactGatherer(['read_file']);
      gatherer.add({ type: 'text_delta', block: 0, text });
      return gatherer.end('answered').wrongCalls;
    },
    pieces: ['read_file', ' ', '\n', '(', '`'],
  },
  readCommand: { read: (text) => readCommand(text, []), pieces: ['/', '/a', '\t'] },
  safeTerminalText: { read: safeTerminalText, pieces: TERMINAL },
  pretendedAddress: { read: (text) => pretendedAddress(text, 'https://example.com/'), pieces: LINKS },
  'pretendedAddress of mail': { read: (text) => pretendedAddress(text, 'mailto:a@example.com'), pieces: LINKS },
  linkTarget: { read: linkTarget, pieces: LINKS },
  codeMention: { read: codeMention, pieces: [...PATHS, ':1', '#L', '.ts'] },
  codeSymbol: { read: codeSymbol, pieces: ['a', '.', '::', '#', '(', ')', '$', '1'] },
  proseMentions: { read: proseMentions, pieces: [...PATHS, ':1', '#L', '.ts', ' '] },
  'resultText of an image': {
    read: (data) => resultText({ content: [{ type: 'image', mimeType: data, data }] }),
    pieces: ['=', '=='],
  },
  readHarmonyCalls: { read: readHarmonyCalls, pieces: HARMONY },
  readFunctionTags: { read: (text) => readFunctionTags(text, true), pieces: TAGS },
  'readFunctionTags before the end': { read: (text) => readFunctionTags(text, false), pieces: TAGS },
  readToolCallTag: { read: (text) => readToolCallTag(`<tool_call>${text}`, true), pieces: TAGS },
  readInvokes: { read: readInvokes, pieces: TAGS },
  isClosed: { read: isClosed, pieces: TAGS },
  readNamedFunctions: { read: readNamedFunctions, pieces: [...TAGS, ...NAMED_FUNCTIONS] },
  keptWriting: { read: keptWriting, pieces: [' ', '\n', ...TAGS] },
  writtenCall: {
    read: (text) => writtenCall({ type: 'tool_use', id: 'a', name: 'f', input: {}, written: text }),
    pieces: [' ', '\n', ...TAGS],
  },
  quotedOutput: {
    read: (text) => quotedOutput(JSON.stringify({ error: { message: text } })),
    pieces: ['Failed to parse input at pos ', '1', ': ', '\n', ...TAGS],
  },
  readWrapper: {
    read: (text) => readWrapper(`<a>${text}`, true, { text: '<a>', close: '</a>' }),
    pieces: [...TAGS, '{"name":"a"}', ','],
  },
  readLfm: { read: (text) => readLfm(`<|tool_call_start|>${text}`), pieces: LITERALS },
  'readLfm in a call': { read: (text) => readLfm(`<|tool_call_start|>[a(b=${text}`), pieces: LITERALS },
  readGemma: { read: (text) => readGemma(`<|tool_call>call:a{b:${text}`), pieces: LITERALS },
  readBracketCall: { read: (text) => readBracketCall(`[TOOL_CALL]${text}`), pieces: LITERALS },
  'readBracketCall with arrows': {
    read: (text) => readBracketCall(`[TOOL_CALL]{tool => "a", args => {${text}`),
    pieces: LITERALS,
  },
  readContinueYaml: { read: unlessRefused((text) => readContinueYaml(text, importPlace)), pieces: YAML_PIECES },
  readMcpSettings: { read: unlessRefused((text) => readMcpSettings(text, importPlace)), pieces: JSON_PIECES },
  readModeFile: { read: unlessRefused((text) => readModeFile(text, importPlace)), pieces: YAML_PIECES },
  readRuleFile: { read: (text) => readRuleFile(text, importPlace), pieces: ['---\n', 'name: ', 'globs: ', '- ', '\n'] },
  'readMcpSettings with a hostile word': {
    read: (text) =>
      readMcpSettings(JSON.stringify({ mcpServers: { [text]: { command: text, args: [text] } } }), importPlace),
    pieces: ['--api-key', '${', '}', '://', '@', 'token=', 'Bearer ', 'é'],
  },
  missingBrackets: { read: missingBrackets, pieces: JSON_PIECES },
  nameInCutAnswer: { read: nameInCutAnswer, pieces: JSON_PIECES },
  isBareCall: { read: isBareCall, pieces: JSON_PIECES },
  readMistral: { read: readMistral, pieces: TOKENS },
  readFunctools: { read: (text) => readFunctools(`functools[${text}`), pieces: [...TOKENS, '[', ']', ','] },
  readRecipients: { read: (text) => readRecipients(`>>>a\n${text}`), pieces: [...TOKENS, '>>>', '>>>a\n', '>>>all\n'] },
  readHunyuan: {
    read: (text) => [
      readHunyuan(text, false),
      readHunyuan(`<tool_call:opensource>a<tool_sep:opensource>${text}`, true),
    ],
    pieces: [
      ...[
        '<tool_calls:opensource>',
        '<tool_call:opensource>a',
        '<tool_sep:opensource>',
        '</tool_call:opensource>',
        ' ',
        'a',
      ],
      ...['<arg_key:opensource>', '</arg_key:opensource>', '<arg_value:opensource>', '</arg_value:opensource>'],
    ],
  },
  readMiniMaxTags: {
    read: (text) => [readMiniMaxTags(text, false), readMiniMaxTags(`]<]minimax[>[<invoke name="a">${text}`, true)],
    pieces: [
      ...[
        ']<]minimax[>[',
        ']<]minimax[>[<a>',
        ']<]minimax[>[</a>',
        ']<]minimax[>[<item>',
        ']<]minimax[>[</item>',
        'a',
        ' ',
      ],
      ...[
        ']<]minimax[>[<tool_call>',
        ']<]minimax[>[</tool_call>',
        ']<]minimax[>[<invoke name="a">',
        ']<]minimax[>[</invoke>',
      ],
    ],
  },
  readSolar: {
    read: readSolar,
    pieces: [...TOKENS, '<|tool_call:begin|>', '<|tool_call:name|>', '<|tool_call:args|>'],
  },
  readGigaChat: { read: readGigaChat, pieces: ['<|function_call|>', '<|message_sep|>', ...TOKENS] },
  readApertus: { read: readApertus, pieces: ['<|tools_prefix|>', '<|tools_suffix|>', '[{"f":', ...TOKENS] },
  readPythonTag: { read: (text) => readPythonTag(`<|python_tag|>${text}`), pieces: TOKENS },
  readKimi: { read: readKimi, pieces: TOKENS },
  readKimiTags: {
    read: (text) => readKimiTags(`<|open|>tools<|sep|><|open|>call tool="a"<|sep|>${text}`, true),
    pieces: [
      '<|open|>',
      '<|close|>',
      '<|sep|>',
      'argument ',
      'argument key="a"',
      'json',
      'call',
      'tools',
      ' ',
      '"',
      'a',
    ],
  },
  readDeepSeek: { read: readDeepSeek, pieces: TOKENS },
  parseToolArguments: { read: (text) => parseToolArguments(text, { lenient: true }), pieces: JSON_PIECES },
  readWholeAnswer: { read: readWholeAnswer, pieces: JSON_PIECES },
  looksLikeWholeAnswer: { read: looksLikeWholeAnswer, pieces: JSON_PIECES },
  'the check of structured output': {
    read: (text) => compileOutputSchema({ type: 'object' }).check(text),
    pieces: JSON_PIECES,
  },
  describeHttpError: {
    read: (body) => describeHttpError({ status: 400, body, url: 'http://localhost/', headers: new Headers() } as never),
    pieces: ERRORS,
  },
  isContextOverflow: { read: isContextOverflow, pieces: ERRORS },
  readContextLimit: { read: readContextLimit, pieces: ERRORS },
  'StreamAggregator with one chunk': {
    read: (text) => aggregate([text]),
    pieces: [...TAGS, ...TOKENS, ...HARMONY, ...THINKING],
  },
  'StreamAggregator with small chunks': {
    read: (text) => aggregate(text.match(/[^]{1,16}/g) ?? []),
    pieces: [...TAGS, ...TOKENS, ...HARMONY, ...THINKING],
  },
  neutraliseControlTokens: {
    read: neutraliseControlTokens,
    pieces: ['<|', '|>', '<', '|', '[INST]', '<s>', '\u2060', 'im_start'],
  },
  'visibleText of code': { read: (text) => visibleText(text, 'code'), pieces: TERMINAL },
  'applyEdits with a hostile quote': {
    read: (text) => applyEdits('a\n  b\n\nc\n', [{ oldText: text, newText: 'x' }]),
    pieces: ['a\n', '  b\n', '“', '&quot;', '\\n', '```\n', '1| '],
  },
  'applyEdits with a hostile file': {
    read: (text) => applyEdits(text, [{ oldText: 'a\n b\n\nc\n', newText: 'x' }]),
    pieces: ['a\n', '  b\n', '“', '&quot;', '\\n', '```\n', '1| '],
  },
  'applyEdits with a hostile file and quote': {
    read: (text) => applyEdits(text, [{ oldText: `${text.slice(2, -2)}x`, newText: 'x' }]),
    pieces: ['a\n', '  b\n', '“', '&quot;', '\\n', '```\n', '1| '],
  },
  parseCells: { read: parseCells, pieces: CELLS },
  'canonicalCells of a hostile answer': { read: (text) => canonicalCells('# %% [python]\na\n', text), pieces: CELLS },
  'matchCells of hostile cells': {
    read: (text) => {
      const cells = parseCells(`# %% [raw]\n${text}`);
      return cells.ok && matchCells(cells.cells, cells.cells.toReversed());
    },
    pieces: CELLS,
  },
  isNotebookJson: { read: isNotebookJson, pieces: CELLS },
  'withCells of a hostile notebook': {
    read: (text) => withCells(text, [{ language: 'python', source: 'a' }]),
    pieces: JSON_PIECES,
  },
  'withCells of hostile strings': {
    read: (text) =>
      withCells(
        JSON.stringify({ nbformat: 4, [text]: text, cells: [{ cell_type: 'raw', source: text, outputs: [text] }] }),
        [{ language: 'raw', source: `${text}x` }],
      ),
    pieces: [...JSON_PIECES, ...CELLS],
  },
  splitHunks: { read: (text) => splitHunks(text, `x${text.slice(3)}`), pieces: ['\r', '\r\n', 'a\n', 'b\n'] },
  unifiedDiff: { read: (text) => unifiedDiff(text, `x${text.slice(3)}`), pieces: ['\r', '\r\n', 'a\n', 'b\n'] },
  protectionTier: { read: protectionTier, pieces: PATHS },
  'scriptText of a Makefile': {
    read: (text) => scriptText('Makefile', text, 'a'),
    pieces: ['a:', ' a', 'a', '\n', '\n\t', '@', ':'],
  },
  'scriptText of pyproject.toml': {
    read: (text) => scriptText('pyproject.toml', `[tool.poe.tasks]\n${text}`, 'a'),
    pieces: ['[tool.hatch.envs.', '.scripts]', 'a', ' = ', '"', "'", '\n', ' '],
  },
  readCall: { read: (text) => readCall(text.split(' ')), pieces: ['npx', 'env', 'a=b', '-x', ' ', 'test', 'mvn', '/'] },
  foundPiece: {
    read: (text) => foundPiece([{ ...spoken, text }], ['a', 'b']),
    pieces: ['a', 'b ', '\u0300', '\ufb03', '\u{1d4b3}', '\n', '语'],
  },
  findPathProblem: { read: findPathProblem, pieces: PATHS },
  findGlobProblem: { read: findGlobProblem, pieces: GLOBS },
  'matchesGlob with a hostile glob': {
    read: (text) => matchesGlob('a'.repeat(200), text.slice(0, 1_000)),
    pieces: GLOBS,
  },
  'matchesGlob with a hostile path': {
    // `findPathProblem` refuses longer paths.
    read: (text) => matchesGlob(text.slice(0, 4_096), '**/*a*a/{a,b}*/b*?c'),
    pieces: ['a/', 'a', 'b/'],
  },
  parseIgnoreRules: { read: (text) => parseIgnoreRules(text).test('a/b/ab/aaaaaaaaaaaa'), pieces: [...GLOBS, '#'] },
  'compilePattern as text': {
    read: (text) => compilePattern({ pattern: text, isRegex: false, isCaseSensitive: false }),
    pieces: GLOBS,
  },
  'compilePattern as an expression': {
    read: (text) => compilePattern({ pattern: text, isRegex: true, isCaseSensitive: false }),
    pieces: [...GLOBS, '(', '(?:', ')*', '+', '{1,9}', '|'],
  },
  parsePermissionRule: {
    read: (text) => parsePermissionRule(text, { effect: 'deny', origin: 'workspaceFile' }),
    pieces: [...GLOBS, 'edit:', 'tool:', 'mcp__'],
  },
  parseRule: { read: (text) => parseRule(text, { effect: 'deny', origin: 'workspaceFile' }), pieces: SHELL },
  readPosixWords: { read: readPosixWords, pieces: SHELL },
  cleanTerminalText: { read: cleanTerminalText, pieces: TERMINAL },
  'entryPath of an archive': {
    read: (text) => {
      try {
        entryPath('/folder', text);
      } catch {
        // Refused.
      }
    },
    pieces: ['..', '/', '.', 'a', ' ', 'con', ':'],
  },
  'output of ollama pull': {
    read: (text) => {
      const output = new PullOutput();
      return [output.add(text), output.add(text), output.lastWords];
    },
    pieces: [
      '\u001b[',
      '0;',
      '?25l',
      'K',
      '\r',
      '\n',
      '9',
      '.',
      ' %',
      '%',
      'ab',
      ' MB',
      '/',
      '/s',
      ' ',
      'ETA ',
      '1m',
      ':',
    ],
  },
  'reports of GPUs': {
    read: (text) => [readNvidiaSmi(text), readRocmSmi(text), readDeviceList(text)],
    pieces: ['A, ', '1', ',', ' ', '\n', 'CUDA0: ', '(', ' MiB', ' free)', '{"card0":', '}', '"'],
  },
  'the words of find_symbol': {
    read: (text) => [parseSymbol(text), parseFind(text), parseRename(text), parseRename(`rename${text}`)],
    pieces: [' in ', ' ', '_', "'", '`', '::', '.', '#', '(', 'rename', ' to ', 'symbol', 'file '],
  },
  'names of symbols in lines': {
    read: (text) => [
      ...[nameAt([text], { path: '/a', line: 1, character: 0 }, 'f'), wordPlaces('/a', [text], 'f')],
      ...[seemsToDeclare(text, 'f'), seemsToDeclare(text, text.slice(0, 50)), isSymbolName(text.slice(0, 80))],
    ],
    pieces: ['function ', 'f', '*', '&', 'module.', 'exports', '.prototype', '.', '=', ' ', '$'],
  },
  renamedText: {
    read: (text) => {
      const change = { startLine: 1, startCharacter: 0, endLine: 1, endCharacter: 1, text: 'g' };
      return [
        renamedText(text, { changes: [change], text }, 'f'),
        renamedText(`f${text}`, { changes: [change], text: `f${text}` }, 'f'),
      ];
    },
    pieces: ['f', 'é', '$', '\r', '\r\n', '\n', '\uFEFF', '-', '#'],
  },
  'the header of an image': {
    read: (text) => readImageHeader(Buffer.from(text, 'latin1')),
    pieces: ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', '\xff', '\xc0', '\0\x02', '\0', 'RIFF', 'WEBP', 'VP8X', 'GIF89a'],
  },
  'a data URL': {
    read: (text) => [`data:image/png;base64,${text}`, text].map((image) => imageHeaderOf({ type: 'image', image })),
    pieces: ['data:', 'image/png', ';base64,', '=', 'iVBORw0KGgo', '+', ' '],
  },
  withoutAddress: {
    read: (text) => withoutAddress(text, { baseUrl: 'http://10.0.0.5:8080/v1' }),
    pieces: ['http://', '10.0.0.5', ':8080', '.', '1', ':', '/', '::1', '[', ']'],
  },
  'judgeRequest of the bridge': {
    read: (text) => judgeRequest({ version: 1, type: 'start', origin: text, path: text, model: text }),
    pieces: ['http://', 'localhost', ':', '@', '/', '..', '%2f', '/v1/models', '/props'],
  },
  parseToKeeper: { read: parseToKeeper, pieces: ['{"type":', '"hello"', '[', '{', '"', ','] },
  lastLineOf: { read: (text) => lastLineOf(text, 80), pieces: TERMINAL },
};

function aggregate(parts: readonly string[]): void {
  const aggregator = new StreamAggregator({
    tools: [{ name: 'f', description: '', inputSchema: { type: 'object' } }],
    newToolUseId: () => 'id',
  });
  for (const content of parts) aggregator.accept({ choices: [{ index: 0, delta: { content } }] });
  aggregator.accept({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  aggregator.finish();
}

describe('bounded work on foreign text', () => {
  for (const [name, reader] of Object.entries(readers)) {
    it(`of ${name}`, function () {
      this.timeout(600_000);
      assert.equal(findSlowText(reader, { runs: Number(process.env['FUZZ_RUNS'] ?? 6) }), undefined);
    });
  }
});

/** Found once; each took more than ten seconds. */
const slowOnce: Readonly<Record<string, () => unknown>> = {
  'blanks in place of a name, for Kimi': () => readKimi(`<|tool_call_begin|>${' '.repeat(2_000)}x`),
  'blanks in place of a name, for Solar': () =>
    readSolar(`<|tool_call:begin|>a<|tool_call:name|>${' '.repeat(2_000)}x`),
  'a finding with another kind of line break': () => readFindings(`${' '.repeat(1_300)}${'x'.repeat(600)}\u2028y`),
  'a symbol with blanks': () => parseSymbol(`a${' '.repeat(100_000)}b`),
  'openings of calls, for DeepSeek and MiniMax': () => readInvokes('<invoke name='.repeat(4_000)),
  'openings of calls with an end': () => readInvokes(`${'<invoke name="a">'.repeat(4_000)}</invoke>x`),
  'openings of parameters': () =>
    readInvokes(`<invoke name="a">${'<parameter name='.repeat(4_000)}</parameter></invoke>`),
  'calls with a thousand flaws, for LFM': () =>
    readLfm(`<|tool_call_start|>[a(b=a:${'--a "b"<tool_call|>'.repeat(1_800)}${'{}'.repeat(16_000)}<tool_call|>]`),
  'a rename with underscores': () => parseRename(`rename${'_'.repeat(60_000)}b`),
};

describe('bounded work on texts that were slow once', () => {
  for (const [name, read] of Object.entries(slowOnce)) {
    it(`of ${name}`, () => assert.equal(cpuMsOf(read) < 2_000, true));
  }

  /** The opening and closing tags of every format, many times over. */
  for (const { text, close = '', innerClose = '', read } of TEXT_CALL_FORMATS) {
    it(`of the tags of ${text}`, () => {
      for (const piece of ['', 'a', '"a">', '\n', '{', close, innerClose, `"a">${innerClose}x`]) {
        const markup = text + `${text}${piece}`.repeat(32_000 / (text.length + piece.length));
        for (const end of ['', close, innerClose]) {
          assert.equal(cpuMsOf(() => [read(markup + end, false), read(markup + end, true)]) < 2_000, true, piece);
        }
      }
    });
  }
});
