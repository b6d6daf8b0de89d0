import { describeIssues, type Issue } from '../util/zodIssues';
import type { McpSdk } from './transport/loadSdk';

/** A hang-up and an answer that MCP does not allow become errors with a sentence. Any other error stays as it is. */
export function withSentence(error: unknown, sdk: McpSdk): unknown {
  if (isHangUp(error, sdk)) return new Error('It ended or hung up.', { cause: error });
  if (typeof error !== 'object' || error === null || !('issues' in error) || !Array.isArray(error.issues)) return error;
  const issues = error.issues as readonly Issue[];
  return new Error(`It answered what MCP does not allow: ${describeIssues({ issues })}.`, { cause: error });
}

/** A message with the stop that servers leave out. */
export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Whether a request failed because the server ended or hung up. Servers use the same code for errors of their own. */
export function isHangUp(error: unknown, { McpError, ErrorCode }: McpSdk): boolean {
  return (
    error instanceof McpError &&
    error.code === ErrorCode.ConnectionClosed &&
    error.message.endsWith('Connection closed')
  );
}
