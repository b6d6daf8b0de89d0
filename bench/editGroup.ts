import { makeEdits } from '../test/support/edits/editsOfOneStep';

const EDITS = 10;
/** One wait before the first edit and one after the last. */
const MAX_ROUNDS = 2;

/** Counts what ten accepted edits of one response wait for: each round of waiting takes seconds in an editor. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const files = Array.from({ length: EDITS }, (_, index) => `${index}.ts`);
  const { log, rounds } = await makeEdits(files.map((file) => ({ file })));
  const count = (what: string): number => log.filter((entry) => entry.startsWith(`${what} `)).length;
  const [loads, writes, checks] = [count('load'), count('write'), count('check')];
  print(
    `${EDITS} edits: ${loads} loads, ${writes} writes, ${checks} checks (limit ${EDITS} each); ${rounds} rounds of waiting (limit ${MAX_ROUNDS})`,
  );
  return [loads, writes, checks].every((times) => times === EDITS) && rounds <= MAX_ROUNDS;
}
