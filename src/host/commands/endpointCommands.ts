import type { WindowEndpoint } from '../endpoint/openEndpoint';
import type { Command, CommandParts } from './command';

/** Serving this workspace's agent to other programs, and what belongs to it. */
export function endpointCommands({ host }: CommandParts): readonly Command[] {
  const withEndpoint = (act: (endpoint: WindowEndpoint) => Promise<void>) => async (): Promise<void> => {
    const { endpoint } = await host.get();
    await act(await endpoint.get());
  };
  return [
    { id: 'openAgent.serve', run: withEndpoint((endpoint) => endpoint.start()) },
    { id: 'openAgent.stopServing', run: withEndpoint((endpoint) => endpoint.stop()) },
    { id: 'openAgent.endpointActions', run: withEndpoint((endpoint) => endpoint.chooseAction()) },
    { id: 'openAgent.replaceEndpointToken', run: withEndpoint((endpoint) => endpoint.replaceToken()) },
  ];
}
