import assert from 'node:assert/strict';
import type { PreparedText } from '../../../src/agent/mcp/prepareText';
import type { PanelMcp } from '../../../src/host/panel/panelParts';
import type { McpItems, McpServerSummary } from '../../../src/mcp/mcpServers';
import { Emitter } from '../../../src/util/emitter';

/** The MCP servers as a panel sees them, controlled by a test. */
export class FakeMcp implements PanelMcp {
  readonly #changes = new Emitter<void>((error) => assert.fail(String(error)));
  readonly onChange = this.#changes.on;
  readonly problems: string[] = [];
  summaries: readonly McpServerSummary[] = [];
  available: McpItems = { prompts: [], resources: [] };
  /** Texts and their expansions. Other texts are sent unchanged. */
  readonly prepared = new Map<string, PreparedText | Error>();

  change(summaries: readonly McpServerSummary[]): void {
    this.summaries = summaries;
    this.#changes.emit();
  }

  async items(): Promise<McpItems> {
    return this.available;
  }

  async prepareText(text: string): Promise<PreparedText> {
    const prepared = this.prepared.get(text) ?? { kind: 'send', context: [] };
    if (prepared instanceof Error) throw prepared;
    return prepared;
  }
}
