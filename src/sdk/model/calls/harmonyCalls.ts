import { JsonBalance } from './jsonBalance';
import type { FoundCalls, TextCall } from './textCall';

/** The recipient and channel in the header of a Harmony message. */
export function readHarmonyHeader(header: string): {
  readonly channel: string | undefined;
  readonly recipient: string | undefined;
} {
  return {
    channel: /<\|channel\|>\s*(\w+)/.exec(header)?.[1],
    recipient: /\sto=([^\s<]+)/.exec(header)?.[1],
  };
}

/** gpt-oss: `<|start|>assistant<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`, repeated. */
export function readHarmonyCalls(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = 0;
  const head = /\s*(?:<\|end\|>)?(?:<\|start\|>assistant|<\|channel\|>)[^\n]{0,300}?<\|message\|>\s*(?=\{)/y;
  const tail = /\s*<\|(?:call|end|return)\|>/y;
  for (;;) {
    head.lastIndex = end;
    const header = head.exec(markup)?.[0];
    if (header === undefined) break;
    const { recipient } = readHarmonyHeader(header);
    const body = markup.slice(head.lastIndex);
    const length = new JsonBalance().feed(body);
    if (recipient === undefined || length === -1) break;
    calls.push({ name: recipient, arguments: body.slice(0, length) });
    end = head.lastIndex + length;
    tail.lastIndex = end;
    if (tail.test(markup)) end = tail.lastIndex;
  }
  return calls.length === 0 ? undefined : { calls, end };
}
