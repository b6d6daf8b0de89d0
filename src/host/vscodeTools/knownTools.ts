import * as vscode from 'vscode';
import { cancellationOf } from '../cancellation';
import type { JsonObject } from '../../util/json';
import { partText } from './partText';
import type { KnownTool } from './vscodeTools';

/** All tools that VS Code knows, with the extensions that declare them. */
export function knownTools(): readonly KnownTool[] {
  const owners = new Map<string, string>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    for (const name of declaredTools(packageJSON)) if (!owners.has(name)) owners.set(name, id);
  }
  return vscode.lm.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
    extension: owners.get(name) ?? null,
  }));
}

/** Calls a tool outside VS Code's own chat. Some tools ask a question of their own too. */
export async function invokeTool(
  name: string,
  input: JsonObject,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> {
  const token = cancellationOf(signal);
  try {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token.token);
    return result.content.map(partText).filter(Boolean).join('\n\n') || 'The tool returned nothing.';
  } finally {
    token.dispose();
  }
}

function declaredTools(packageJSON: unknown): readonly string[] {
  const { contributes } = (packageJSON ?? {}) as { readonly contributes?: { readonly languageModelTools?: unknown } };
  const declared = contributes?.languageModelTools;
  if (!Array.isArray(declared)) return [];
  return declared.flatMap((tool: { readonly name?: unknown } | null) =>
    typeof tool?.name === 'string' ? [tool.name] : [],
  );
}
