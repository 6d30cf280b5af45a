/** The whole resolver, before it is on a transport. */
import { type Service, stderrLogger } from '@mayday/reference-shared';
import type { Logger } from '@mayday/server';
import { createDesk } from './desk.ts';
import { createLimits } from './limits.ts';
import { answerRest } from './rest.ts';
import { openStore } from './store.ts';
import { createToolServer } from './tools.ts';

/** How the resolver is set up. */
export interface ClosientOptions {
  readonly data: string;
  /** Calls a minute for each caller; 300. */
  readonly perMinute?: number;
  /** The caller's token on stdio. */
  readonly token?: string | undefined;
  readonly logger?: Required<Logger>;
}

/** Tools and REST over one store. */
export function createClosient(options: ClosientOptions): Service {
  const { data, perMinute = 300, token, logger = stderrLogger('closient') } = options;
  const store = openStore(data);
  const desk = createDesk(store, createLimits(perMinute));
  return {
    name: 'closient',
    dialect: 'closient',
    createServer: () => createToolServer(desk, logger, token),
    async http(request, mcp) {
      if (new URL(request.url).pathname !== '/mcp') return answerRest(request, desk, logger);
      const response = await mcp(request);
      const headers = Object.entries(desk.headers(request.headers.get('authorization')));
      for (const [name, value] of headers) response.headers.set(name, value);
      return response;
    },
    logger,
    close: () => store.close(),
  };
}
