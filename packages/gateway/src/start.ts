/** Starts gateways, and loads what they are made of then: whoever reads settings or asks a store does without it. */
import type { Gateway, GatewayOptions, StdioGateway, StdioGatewayOptions } from './gateway.ts';
import type { Settings } from './settings/settings.ts';

/**
 * Starts a gateway that listens for requests over HTTP. Rejects where it cannot: with a `StoreError` where the store cannot
 * be used, with an error of Node's where the address cannot be had.
 */
export async function startGateway(settings: Settings, options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await import('./gateway.ts');
  return gateway.startGateway(settings, options);
}

/**
 * Starts a gateway that listens to nobody but the caller that has started it, over standard input and output. Keys are
 * for callers over HTTP: whoever starts the process has the file that they are in.
 */
export async function startStdioGateway(
  settings: Settings,
  options: StdioGatewayOptions,
): Promise<StdioGateway> {
  const gateway = await import('./gateway.ts');
  return gateway.startStdioGateway(settings, options);
}
