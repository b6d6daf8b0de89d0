import { readHarmonyCalls } from './harmonyCalls';
import { readFunctionTags, readInvokes, readToolCallTag } from './tagCalls';
import type { TextCallFormat } from './textCall';
import { readDeepSeek, readKimi, readMistral, readPythonTag } from './tokenCalls';

/** The known formats. One that begins with the beginning of another comes first. */
export const TEXT_CALL_FORMATS: readonly TextCallFormat[] = [
  { text: '<tool_call>', close: '</tool_call>', read: readToolCallTag },
  { text: '<function=', close: '</function>', read: readFunctionTags },
  { text: '[TOOL_CALLS]', close: undefined, isToken: true, read: readMistral },
  { text: '<|python_tag|>', close: undefined, isToken: true, read: readPythonTag },
  { text: '<|tool_calls_section_begin|>', close: '<|tool_calls_section_end|>', isToken: true, read: readKimi },
  { text: '<|tool_call_begin|>', close: '<|tool_call_end|>', isToken: true, read: readKimi },
  { text: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>', isToken: true, read: readDeepSeek },
  { text: '<｜tool▁call▁begin｜>', close: '<｜tool▁call▁end｜>', isToken: true, read: readDeepSeek },
  { text: '<｜DSML｜function_calls>', close: '</｜DSML｜function_calls>', isToken: true, read: readInvokes },
  { text: '<|end|><|start|>assistant', close: '<|call|>', isToken: true, read: readHarmonyCalls },
  { text: '<|start|>assistant', close: '<|call|>', read: readHarmonyCalls },
  { text: '<|channel|>commentary', close: '<|call|>', read: readHarmonyCalls },
  { text: '<minimax:tool_call>', close: '</minimax:tool_call>', read: readInvokes },
  { text: '<function_calls>', close: '</function_calls>', read: readInvokes },
  { text: '<invoke name=', close: '</invoke>', read: readInvokes },
  // The rest of a call whose opening tag was missing.
  { text: '</tool_call>', close: '', isRemnant: true, read: () => ({ calls: [], end: '</tool_call>'.length }) },
];
