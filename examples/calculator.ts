import * as z from 'zod';
import { tool, type AgentOptions } from '../src/sdk';

const numbers = { a: z.number(), b: z.number() };

/** The tools both examples use. */
export const add = tool('add', 'Add two numbers', numbers, ({ a, b }) => ({ result: a + b }));
export const multiply = tool('multiply', 'Multiply two numbers', numbers, ({ a, b }) => ({ result: a * b }));
export const divide = tool('divide', 'Divide a by b', numbers, ({ a, b }) => {
  if (b === 0) throw new Error('Division by zero. Ask for another divisor.');
  return { result: a / b };
});

/** A server and a model from the environment; llama-server's address otherwise. */
export function calculatorOptions(): AgentOptions {
  return {
    systemPrompt: 'You are a calculator. Use the tools for every calculation.',
    model: process.env['OPEN_AGENT_MODEL'] ?? 'default',
    baseUrl: process.env['OPEN_AGENT_BASE_URL'] ?? 'http://localhost:8080/v1',
    tools: [add, multiply, divide],
  };
}
