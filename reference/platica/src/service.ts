/** The REST interface and the bridge to it, before the bridge is on a transport. */
import { STATUS_CODES } from 'node:http';
import { listen, openCounts, reporter, type Service, stderrLogger } from '@mayday/reference-shared';
import type { Logger } from '@mayday/server';
import { createApi } from './api/api.ts';
import { WINDOW_MS } from './api/limit.ts';
import { refusal } from './api/refusal.ts';
import { openStore } from './api/store.ts';
import { createBridge } from './bridge/bridge.ts';
import { atTheDoor } from './bridge/door.ts';

/** How the bridge is set up. */
export interface PlaticaOptions {
  readonly data: string;
  /** The port of the REST interface; any, if absent. */
  readonly apiPort?: number;
  /** A REST interface somewhere else, in place of one of its own. */
  readonly apiUrl?: string | undefined;
  /** Requests a second for each key; 30. */
  readonly perSecond?: number;
  /** The key on stdio. */
  readonly key?: string | undefined;
  readonly logger?: Required<Logger>;
}

/** Starts the REST interface, and makes the bridge. */
export async function createPlatica(options: PlaticaOptions): Promise<Service> {
  const { apiPort = 0, apiUrl, key, logger = stderrLogger('platica') } = options;
  const api = apiUrl === undefined ? await startApi(options, apiPort, logger) : undefined;
  return {
    name: 'platica',
    dialect: 'platica',
    createServer: createBridge({ apiUrl: api?.url ?? apiUrl ?? '', logger, key }),
    http: atTheDoor,
    logger,
    started: () => api && logger.warn({ api: api.url }, `The REST interface is at ${api.url}/api/v1`),
    close: () => api?.close(),
  };
}

async function startApi({ data, perSecond = 30 }: PlaticaOptions, port: number, logger: Required<Logger>) {
  const store = openStore(data);
  const counts = openCounts(data, WINDOW_MS);
  const api = await listen(createApi({ store, counts, logger, perSecond }), port, reporter(logger), {
    refused: ({ status, thrown, headers }) =>
      refusal(status, STATUS_CODES[status] ?? 'Refused', thrown.fault.message, { headers }),
  });
  const close = async (): Promise<void> => {
    await api.close();
    store.close();
    counts.close();
  };
  return { url: api.url, close };
}
