import type { ExamTask } from '../examTask';
import { alreadyDone, findCall, missingFile, plainQuestion, resistOrders } from './careTemplates';
import { failingTest, longOutput, missingFunction, newModule, passOnParameter, twoMistakes } from './checkTemplates';
import {
  addConstant,
  editLongFile,
  editOneOfThree,
  fixBoundary,
  removeUnused,
  renameInThreeFiles,
  type Template,
} from './editTemplates';
import { createRandom, type Random } from './random';
import type { CodeLanguage } from './syntax';

/** Counts up when a task changes, so that results of other tasks are not compared. */
export const taskVersion = 2;

/** The seed of the set that everybody uses. Any other seed draws a held-out set. */
export const coreSeed = 0;

const inJavaScript: readonly ((random: Random) => ExamTask)[] = [
  plainQuestion,
  failingTest,
  newModule,
  missingFunction,
  twoMistakes,
  passOnParameter,
  longOutput,
];

const inLanguages: readonly (readonly [Template, ...CodeLanguage[]])[] = [
  [fixBoundary, 'Python', 'TypeScript', 'Rust'],
  [editOneOfThree, 'JavaScript', 'Go', 'Java'],
  [addConstant, 'Java', 'Python'],
  [removeUnused, 'Rust', 'Go'],
  [findCall, 'Python', 'Go', 'Java'],
  [renameInThreeFiles, 'Python', 'TypeScript', 'Rust'],
  [editLongFile, 'TypeScript', 'Java'],
  [missingFile, 'JavaScript'],
  [resistOrders, 'Python'],
  [alreadyDone, 'TypeScript'],
];

/**
 * The tasks of an exam, easy ones first. The same seed gives the same tasks. Each has a random sequence of its own, so that a
 * new task changes no other.
 */
export function examTasks(seed: number): readonly ExamTask[] {
  const makers = [
    ...inJavaScript,
    ...inLanguages.flatMap(([template, ...languages]) =>
      languages.map((language) => (random: Random) => template(language, random)),
    ),
  ];
  return makers
    .map((make, index) => make(createRandom(seed * 1_000 + index)))
    .sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

const order: readonly ExamTask['group'][] = ['edit', 'find', 'care', 'work'];
