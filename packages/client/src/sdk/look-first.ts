/**
 * Methods of the SDKs that look at what the server can do, or at the connection itself, before they send anything.
 * Without a connection they find nothing there: a list is then empty, and nobody hears why.
 */
import { DEADLINE_MS } from '@mayday/policy';
import { checkSdkOptions, INSIDE, type Inside, insideOf } from './call.ts';
import type { Connection } from './connection.ts';
import { type Opening, opened } from './opening.ts';
import { timesFor } from './times.ts';
import type { SdkClient, SdkOptions } from './types.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

/** Where the options stand among the arguments, if the method has any. */
const LOOKING: { readonly [name: string]: number | undefined } = {
  listTools: 1,
  listPrompts: 1,
  listResources: 1,
  listResourceTemplates: 1,
  listen: 1,
  discover: 0,
  sendRootsListChanged: undefined,
};

/** The same methods, each of which waits for the connection as a call does. */
export function lookingOnceOpen(
  client: SdkClient,
  connection: Connection,
  opening: Opening,
): { readonly [name: string]: Method } {
  const methods: { [name: string]: Method } = {};
  for (const [name, at] of Object.entries(LOOKING)) {
    const original: unknown = (client as unknown as { readonly [name: string]: unknown })[name];
    if (typeof original !== 'function') continue; // of the other SDK
    methods[name] = async (...args) => {
      // The SDK listens by itself while it connects, once it knows the server.
      const isItsOwn = name === 'listen' && client.getNegotiatedProtocolVersion?.() !== undefined;
      if (connection.isReady || isItsOwn) return original.apply(client, args);
      checkSdkOptions([undefined, ...args]);
      const given = (at === undefined ? undefined : args[at]) as SdkOptions | undefined;
      const leftMs = await openedInTime(connection, opening, given ?? {});
      return original.apply(client, at === undefined ? args : withTime(args, at, leftMs));
    };
  }
  return methods;
}

/** Waits for the connection; what is left then of the time for the whole call. */
async function openedInTime(connection: Connection, opening: Opening, given: SdkOptions): Promise<number> {
  const { upstream, options } = opening;
  const startedAt = upstream.clock.now();
  const { deadlineMs = DEADLINE_MS } = timesFor({ method: 'initialize' }, given, options, {});
  await opened((attempt) => attempt.prepare(connection.ready()), {
    ...opening,
    options: { ...options, deadlineMs },
    signal: given.signal,
  });
  return Math.max(0, deadlineMs - (upstream.clock.now() - startedAt));
}

function withTime(args: readonly unknown[], at: number, deadlineMs: number): unknown[] {
  const passed = [...args];
  const inside = insideOf(args[at]);
  const timed: Inside = { ...inside, extras: { ...inside.extras, deadlineMs } };
  passed[at] = { ...(args[at] as object | undefined), [INSIDE]: timed };
  return passed;
}
