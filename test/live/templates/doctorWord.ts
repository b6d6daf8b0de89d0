import { runDoctor } from '../../../src/agent/servers/doctor/doctor';
import { LearnedQuirks } from '../../../src/agent/servers/learnedQuirks';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { findingsOf, summaryOf, type Finding } from '../../../src/agent/view/server/doctorReport';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { isJsonObject, type JsonObject } from '../../../src/util/json';
import type { LlamaServer } from '../engines/llamaServer';
import { SaidServer, type Said } from './saidServer';

/** What the doctor says of a chat template. */
export interface DoctorWord {
  /** Its counts, and the names of the checks that are not fine. */
  readonly words: string;
  /** The names of the checks that found a problem. */
  readonly problems: readonly string[];
}

/** Lets the doctor examine a model that does what it is asked: what is left is the server's and the template's. */
export async function askDoctor(engine: LlamaServer): Promise<DoctorWord> {
  await using said = await SaidServer.start(engine, answerTo);
  const quirks = new LearnedQuirks({ now: Date.now }).memoryFor(said.baseUrl);
  const { report } = await runDoctor(
    {
      baseUrl: said.baseUrl,
      model: '',
      fetch: createFetch(),
      slots: new SlotQueue(),
      quirks,
      now: () => performance.now(),
      settings: { contextWindow: null, maxTokens: null },
    },
    { signal: new AbortController().signal, onProgress: () => {} },
  );
  const named = (isMeant: (finding: Finding) => boolean): readonly string[] =>
    findingsOf(report).flatMap((finding) => (isMeant(finding) ? [finding.title] : []));
  const counts = summaryOf(report).replace(/\.$/, '');
  const others = named(({ status }) => status !== 'ok' && status !== 'skipped');
  return {
    words: others.length === 0 ? counts : `${counts} (${others.join(', ')})`,
    problems: named(({ status }) => status === 'problem'),
  };
}

/** The answer of a model that does what the doctor asks for. */
function answerTo(body: JsonObject): Said {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isJsonObject) : [];
  const question = JSON.stringify(messages.at(-1)?.['content'] ?? '');
  const word = /heron|Write the word (\w+)/.exec(question);
  if (word) return { text: word[1] ?? word[0] };
  if (question.includes('from 1 to 20')) return { text: Array.from({ length: 20 }, (_, at) => at + 1).join(' ') };
  if (question.includes('numbers 1 and 2')) return { calls: [getWord(1), getWord(2)] };
  if (question.includes('number 42')) return { calls: [getWord(42)] };
  return { text: 'heron' };
}

function getWord(number: number): NonNullable<Said['calls']>[number] {
  return { name: 'get_word', input: { number } };
}
