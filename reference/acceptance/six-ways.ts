import { connectV1, connectV2 } from './clients.ts';
import { Endpoint } from './http.ts';
import { startProgram } from './program.ts';
import { Pipe } from './stdio.ts';
import type { Channel } from './wire.ts';

/** A way to reach a server: who calls, over what. */
export const WAYS = [
  'raw over stdio',
  'raw over HTTP',
  'SDK v1 over stdio',
  'SDK v1 over HTTP',
  'SDK v2 over stdio',
  'SDK v2 over HTTP',
  'SDK v2 over HTTP, stateless',
] as const;

/** One of the ways. */
export type Way = (typeof WAYS)[number];

/** Connects in every way to a server that is reachable both as an address and as a program. */
export async function connectEveryWay(
  url: string,
  args: readonly string[],
  options: {
    readonly headers?: Record<string, string>;
    readonly env?: Record<string, string>;
    readonly ways?: readonly Way[];
  } = {},
): Promise<Map<Way, Channel>> {
  const { headers = {}, env = {}, ways = WAYS } = options;
  const open: Record<Way, () => Promise<Channel>> = {
    'raw over stdio': async () => {
      const pipe = new Pipe(startProgram(args, { env }));
      await pipe.initialize();
      return pipe;
    },
    'raw over HTTP': async () => {
      const endpoint = new Endpoint(url, headers);
      await endpoint.initialize();
      return endpoint;
    },
    'SDK v1 over stdio': () => connectV1({ args, env }),
    'SDK v1 over HTTP': () => connectV1({ url, headers }),
    'SDK v2 over stdio': () => connectV2({ args, env }),
    'SDK v2 over HTTP': () => connectV2({ url, headers }),
    'SDK v2 over HTTP, stateless': () => connectV2({ url, headers }, true),
  };
  const opened = await Promise.all(ways.map(async (way) => [way, await open[way]()] as const));
  return new Map(opened);
}

/** Closes what `connectEveryWay` opened. */
export async function closeAll(channels: Map<Way, Channel>): Promise<void> {
  await Promise.all([...channels.values()].map((channel) => channel.close()));
}
