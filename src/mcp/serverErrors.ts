import { describeIssues, type Issue } from '../util/zodIssues';
import type { McpSdk } from './transport/loadSdk';

/** An answer that MCP does not allow becomes an error with a sentence. Any other error stays as it is. */
export function withSentence(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('issues' in error) || !Array.isArray(error.issues)) return error;
  const issues = error.issues as readonly Issue[];
  return new Error(`It answered what MCP does not allow: ${describeIssues({ issues })}.`, { cause: error });
}

/** Whether a request failed because the server ended or hung up. Servers use the same code for errors of their own. */
export function isHangUp(error: unknown, { McpError, ErrorCode }: McpSdk): boolean {
  return (
    error instanceof McpError &&
    error.code === ErrorCode.ConnectionClosed &&
    error.message.endsWith('Connection closed')
  );
}
