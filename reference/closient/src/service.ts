/** The whole resolver, before it is on a transport. */
import { openCounts, type Service, stderrLogger } from '@mayday/reference-shared';
import type { Logger } from '@mayday/server';
import { faultPages } from '@mayday/server/http';
import { createDesk } from './desk.ts';
import { createLimits, DAY } from './limits.ts';
import { createRest } from './rest.ts';
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
  const counts = openCounts(data, DAY.windowMs);
  const desk = createDesk(store, createLimits(perMinute, counts));
  const rest = createRest(desk, logger);
  // The pages that the `type` of every problem points at.
  const pages = faultPages({ dialect: 'closient' });
  return {
    name: 'closient',
    dialect: 'closient',
    refused: (refusal) => (refusal.path === '/mcp' ? undefined : rest.refused(refusal)),
    createServer: () => createToolServer(desk, logger, token),
    async http(request, mcp) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/docs/errors/')) return pages(request);
      if (pathname !== '/mcp') return rest.answer(request);
      const response = await mcp(request);
      const headers = Object.entries(desk.headers(request.headers.get('authorization')));
      for (const [name, value] of headers) response.headers.set(name, value);
      return response;
    },
    logger,
    close() {
      store.close();
      counts.close();
    },
  };
}
