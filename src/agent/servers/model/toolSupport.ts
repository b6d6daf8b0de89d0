import type { FoundServer } from '../probe/serverProbe';

/** Returns whether the server says that the model cannot call tools. A server that does not say counts as able. */
export function lacksTools({ models }: Pick<FoundServer, 'models'>, model: string): boolean {
  const listed = models.find(({ id }) => id === model || id === `${model}:latest`);
  return listed?.hasTools === false;
}

/** The warning, for people. */
export function noToolsWarning(model: string): string {
  return (
    `The server says that ${model} was not made to call tools, so it may not be able to read files, edit or run ` +
    'commands. Choose a model with tools, or check this one with open-agent doctor.'
  );
}
