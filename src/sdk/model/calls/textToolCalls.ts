import type { ModelFamily } from './families';
import { readRecipients } from './functionaryCalls';
import { readHarmonyCalls } from './harmonyCalls';
import { readHunyuan } from './hunyuanCalls';
import { readKimiTags } from './kimiCalls';
import { MINIMAX_TOKEN, readMiniMaxTags } from './miniMaxCalls';
import { readBracketCall, readGemma, readLfm } from './literalCalls';
import { readFunctionTags, readInvokes, readNamedFunctions, readToolCallTag, readWrapper } from './tagCalls';
import type { TextCallFormat } from './textCall';
import {
  readApertus,
  readDeepSeek,
  readFunctools,
  readGigaChat,
  readKimi,
  readMistral,
  readPythonTag,
  readSolar,
} from './tokenCalls';

const token = { isToken: true } as const;
const kimi = { ...token, families: ['kimi'], read: readKimi, innerClose: '<|tool_call_end|>' } as const;
const kimiTags = { ...token, families: ['kimi'], read: readKimiTags, innerClose: '<|close|>call<|sep|>' } as const;
const deepseek = { ...token, families: ['deepseek'], read: readDeepSeek, innerClose: '<｜tool▁call▁end｜>' } as const;
const solar = { ...token, families: ['solar'], read: readSolar, innerClose: '<|tool_call:end|>' } as const;
const harmony = { close: '<|call|>', families: ['gpt-oss'], read: readHarmonyCalls } as const;
const hunyuan = { ...token, families: ['hunyuan'], read: readHunyuan, innerClose: '</tool_call:opensource>' } as const;
const miniMax = {
  ...token,
  families: ['minimax'],
  read: readMiniMaxTags,
  innerClose: `${MINIMAX_TOKEN}</invoke>`,
} as const;
const invokes = { families: ['deepseek', 'minimax'], read: readInvokes, innerClose: '</invoke>' } as const;

/** DeepSeek V3.2 and V4, with every kind of bar that was seen. */
const DSML: readonly TextCallFormat[] = ['｜', '|', '｜｜', '||'].flatMap((bar) =>
  ['function_calls>', 'tool_calls>', 'invoke name='].map((tag): TextCallFormat => {
    const name = `${bar}DSML${bar}${tag}`;
    const innerClose = `</${bar}DSML${bar}invoke>`;
    return { ...invokes, ...token, innerClose, text: `<${name}`, close: `</${name.replace(/ name=$/, '>')}` };
  }),
);

/** The known formats. One that begins with the beginning of another comes first. */
export const TEXT_CALL_FORMATS: readonly TextCallFormat[] = [
  { text: '<tool_call>', close: '</tool_call>', read: readToolCallTag },
  wrapper('<tool_calls>', '</tool_calls>'),
  wrapper('<seed:tool_call>', '</seed:tool_call>'),
  wrapper('<TOOLCALL>', '</TOOLCALL>'),
  { ...wrapper('<|START_ACTION|>', '<|END_ACTION|>'), ...token },
  { ...wrapper('<|tool_call|>', '<|end_of_text|>'), ...token, families: ['granite'] },
  { text: '<function=', close: '</function>', read: readFunctionTags },
  { text: '[TOOL_CALLS]', close: undefined, ...token, families: ['mistral'], read: readMistral },
  { text: '[TOOL_CALL]', close: '[/TOOL_CALL]', read: readBracketCall },
  { text: '<|python_tag|>', close: undefined, ...token, families: ['llama', 'functionary'], read: readPythonTag },
  { text: '<|tool_call_start|>', close: '<|tool_call_end|>', ...token, families: ['lfm'], read: readLfm },
  { text: '<|tool_call>', close: '<tool_call|>', ...token, families: ['gemma'], read: readGemma },
  { ...kimi, text: '<|tool_calls_section_begin|>', close: '<|tool_calls_section_end|>' },
  { ...kimi, text: '<|tool_call_begin|>', close: '<|tool_call_end|>' },
  { ...kimiTags, text: '<|open|>tools<|sep|>', close: '<|close|>tools<|sep|>' },
  { ...kimiTags, text: '<|open|>call tool=', close: '<|close|>call<|sep|>' },
  { ...deepseek, text: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>' },
  { ...deepseek, text: '<｜tool▁call▁begin｜>', close: '<｜tool▁call▁end｜>' },
  ...DSML,
  { ...harmony, text: '<|end|><|start|>assistant', isToken: true },
  { ...harmony, text: '<|start|>assistant' },
  { ...harmony, text: '<|channel|>commentary' },
  { ...invokes, text: '<minimax:tool_call>', close: '</minimax:tool_call>' },
  { ...miniMax, text: `${MINIMAX_TOKEN}<tool_call>`, close: `${MINIMAX_TOKEN}</tool_call>` },
  { ...miniMax, text: `${MINIMAX_TOKEN}<invoke name=`, close: `${MINIMAX_TOKEN}</invoke>` },
  { ...invokes, text: '<function_calls>', close: '</function_calls>' },
  { ...invokes, text: '<invoke name=', close: '</invoke>' },
  { ...invokes, families: ['muse'], text: '<atem:function_calls>', close: '</atem:function_calls>' },
  { text: '<|tools_prefix|>', close: '<|tools_suffix|>', ...token, families: ['apertus'], read: readApertus },
  { text: '<|function_call|>', close: undefined, ...token, families: ['gigachat'], read: readGigaChat },
  { ...solar, text: '<|tool_calls|>', close: '<|calls|>' },
  { ...solar, text: '<|tool_call:begin|>', close: '<|tool_call:end|>' },
  { ...hunyuan, text: '<tool_calls:opensource>', close: '</tool_calls:opensource>' },
  { ...hunyuan, text: '<tool_call:opensource>', close: '</tool_call:opensource>' },
  {
    text: 'functools[',
    close: undefined,
    families: ['firefunction', 'phi'],
    needsFamily: true,
    followsBlank: true,
    read: readFunctools,
  },
  { text: '>>>', close: undefined, ...token, families: ['functionary'], needsFamily: true, read: readRecipients },
  { text: '<function name="', close: '</function>', families: ['minicpm'], read: readNamedFunctions },
  ...['tool_call', 'tool_calls', 'seed:tool_call', 'minimax:tool_call', 'function_calls', 'atem:function_calls'].map(
    remnant,
  ),
];

/** The rest of calls whose opening tag was missing, or stood within a line. */
function remnant(tag: string): TextCallFormat {
  const text = `</${tag}>`;
  return { text, close: '', isRemnant: true, read: () => ({ calls: [], end: text.length }) };
}

function wrapper(text: string, close: string): TextCallFormat {
  return { text, close, read: (markup, isEnd) => readWrapper(markup, isEnd, { text, close }) };
}

/** The formats of these families; all formats when the family is not known. */
export function formatsFor(families: ReadonlySet<ModelFamily>): readonly TextCallFormat[] {
  if (families.size === 0) return TEXT_CALL_FORMATS.filter(({ needsFamily }) => needsFamily !== true);
  return TEXT_CALL_FORMATS.filter((format) => format.families?.some((family) => families.has(family)) ?? true);
}
