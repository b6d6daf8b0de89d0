import * as z from 'zod';
import { tool, type AgentOptions } from '../src/sdk';
import { serverOptions } from './server';

const numbers = { a: z.number(), b: z.number() };

/** The tools both examples use. */
export const add = tool('add', 'Add two numbers', numbers, ({ a, b }) => ({ result: a + b }));
export const multiply = tool('multiply', 'Multiply two numbers', numbers, ({ a, b }) => ({ result: a * b }));
export const divide = tool('divide', 'Divide a by b', numbers, ({ a, b }) => {
  if (b === 0) throw new Error('Division by zero. Ask for another divisor.');
  return { result: a / b };
});

export function calculatorOptions(): AgentOptions {
  return {
    ...serverOptions(),
    systemPrompt: 'You are a calculator. Use the tools for every calculation.',
    tools: [add, multiply, divide],
  };
}
