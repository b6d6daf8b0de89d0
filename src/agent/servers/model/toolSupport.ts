import * as l10n from '../../../util/l10n';
import type { QuirkMemory } from '../../../sdk/model/wire/serverQuirks';
import type { FoundServer } from '../probe/serverProbe';

type Listed = Pick<FoundServer, 'kind' | 'models'>;

/** Returns whether the server says that the model cannot call tools. A server that does not say counts as able. */
export function lacksTools({ models }: Pick<Listed, 'models'>, model: string): boolean {
  const listed = models.find(({ id }) => id === model || id === `${model}:latest`);
  return listed?.hasTools === false;
}

/**
 * Returns whether the model's chat template leaves out the tools of a request without a word. Source: llama-server,
 * `supports_tools` of `/props`. Other servers reject such a request, or add the tools themselves.
 */
export function templateLacksTools(server: Listed, model: string): boolean {
  return server.kind === 'llama.cpp' && lacksTools(server, model);
}

/** Describes tools in text as long as the template lacks them, or as learned. */
export function withTemplateTools(memory: QuirkMemory, lacks: () => boolean): QuirkMemory {
  return {
    get: (model) => (lacks() ? { ...memory.get(model), tools: 'text' } : memory.get(model)),
    learn: (model, quirks) => memory.learn(model, lacks() ? { ...quirks, tools: memory.get(model).tools } : quirks),
  };
}

/** The warning, for people. */
export function noToolsWarning(server: Listed, model: string): string {
  if (templateLacksTools(server, model)) {
    return l10n.t(
      'The chat template of {0} has no tools, so they are described in text, which works less well. Start the server with a template that has tools, or choose another model.',
      model,
    );
  }
  return l10n.t(
    'The server says that {0} was not made to call tools, so it may not be able to read files, edit or run commands. Choose a model with tools, or check this one with open-agent doctor.',
    model,
  );
}
