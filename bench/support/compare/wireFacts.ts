import * as z from 'zod';
import type { RunFacts } from '../../../src/agent/exam/judge/runFacts';
import { parseJson } from '../../../src/util/json';

const count = z.number().min(0);
const CallPart = z.object({
  index: z.number().optional(),
  function: z.object({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
});
const Message = z.object({ content: z.string().nullish(), tool_calls: z.array(CallPart).nullish() });
const Answer = z.object({
  choices: z.array(z.object({ delta: Message.optional(), message: Message.optional() })).optional(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count.optional() }).nullish(),
    })
    .nullish(),
  /** llama-server counts what it read anew. */
  timings: z.object({ prompt_n: count, cache_n: count.optional() }).nullish(),
});

/** What an agent and its model told each other, as it was on the wire. It is the same for every agent. */
export class WireFacts {
  readonly #calls: { name: string; arguments: string }[] = [];
  #answer = '';
  #steps = 0;
  #tokensRead = 0;
  #tokensWritten = 0;
  #context = 0;

  get steps(): number {
    return this.#steps;
  }

  /** Adds a whole answer of a completion: a stream of events, or JSON. */
  add(text: string): void {
    const parts = text.startsWith('{') ? [text] : [...text.matchAll(/^data:[ ]?(\{.*)$/gm)].map(([, json]) => json!);
    const calls = new Map<number, { name: string; arguments: string }>();
    let answer = '';
    let usage: z.infer<typeof Answer>['usage'];
    let timings: z.infer<typeof Answer>['timings'];
    for (const part of parts) {
      const { data } = Answer.safeParse(parseJson(part));
      if (!data) continue;
      usage = data.usage ?? usage;
      timings = data.timings ?? timings;
      const message = data.choices?.[0]?.delta ?? data.choices?.[0]?.message;
      answer += message?.content ?? '';
      for (const [place, piece] of (message?.tool_calls ?? []).entries()) {
        const call = calls.get(piece.index ?? place) ?? { name: '', arguments: '' };
        calls.set(piece.index ?? place, call);
        call.name += piece.function?.name ?? '';
        call.arguments += piece.function?.arguments ?? '';
      }
    }
    this.#steps += 1;
    this.#calls.push(...calls.values());
    // Titles and summaries are answers too; the last one with words is that of the run.
    if (calls.size === 0 && answer !== '') this.#answer = answer;
    const { prompt_tokens: prompt = 0, completion_tokens: written = 0, prompt_tokens_details: details } = usage ?? {};
    this.#tokensRead += timings?.prompt_n ?? Math.max(0, prompt - (details?.cached_tokens ?? 0));
    this.#tokensWritten += written;
    this.#context = Math.max(this.#context, prompt + written);
  }

  /** As the judge of the exam wants them. `reads`: the file that has to be read. */
  end(ended: RunFacts['ended'], reads: string | undefined): RunFacts {
    const inputs = this.#calls.map((call) => call.arguments);
    // A call that only says that the work is done is no tool for a plain question.
    const working = this.#calls.filter(({ name }) => !/complet|finish|done|todo|plan/i.test(name));
    const last = this.#calls.findLast(({ name }) => /complet|finish|submit/i.test(name));
    return {
      ended,
      answer: this.#answer === '' ? (last?.arguments ?? '') : this.#answer,
      steps: this.#steps,
      calls: working.length,
      wrongCalls: {},
      inputs,
      readFiles: reads !== undefined && inputs.some((input) => input.includes(reads)) ? [reads] : [],
      tokensRead: this.#tokensRead,
      tokensWritten: this.#tokensWritten,
      context: this.#context,
      thought: false,
    };
  }
}
