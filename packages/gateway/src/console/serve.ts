/** The console over HTTP: one page and its files, to whoever reaches the place where operators are answered. */
import type { Reply, RequestHead } from '@mayday/relay';
import { type DoorFault, notServed } from '../http/refusals.ts';
import { pathOf } from '../http/routes.ts';
import { GUARDED, INDEX, type Page, readPages } from './pages.ts';
import { CONSOLE } from './root.ts';

/** Answers at the root of the console and below it. */
export interface ConsoleDoor {
  answer(request: RequestHead, reply: Reply, refused: (fault: DoorFault) => undefined): Promise<void>;
}

/** Serves the files of a folder. They are read when somebody first asks: most gateways are never looked at. */
export function createConsoleDoor(folder: URL): ConsoleDoor {
  let reading: Promise<ReadonlyMap<string, Page>> | undefined;
  return {
    async answer({ url = '', method, headers }, reply, refused) {
      const name = pathOf(url).slice(CONSOLE.length);
      // What the page names is found below it. Relative: a proxy may have a path before ours.
      if (name === '')
        return reply.raw(308, { ...GUARDED, location: 'console/', 'cache-control': 'no-cache' });
      reading ??= readPages(folder);
      const pages = await reading;
      const page = pages.get(name === '/' ? INDEX : name.slice(1));
      if (page === undefined) return refused(pages.size === 0 ? NOT_BUILT : notServed([`${CONSOLE}/`], url));
      if (isKnown(headers['if-none-match'], page)) return reply.head(304, page.headers);
      const length = String(page.body.length);
      if (method === 'HEAD') return reply.head(200, { ...page.headers, 'content-length': length });
      return reply.raw(200, page.headers, page.body);
    },
  };
}

/** Does whoever asks have it already? */
function isKnown(said: string | undefined, { headers }: Page): boolean {
  const tags = said?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(headers['etag'] ?? '') || tags.includes('*');
}

/** Only of a checkout: what is installed has them. */
const NOT_BUILT: DoorFault = {
  status: 404,
  fault: {
    kind: 'not_found',
    origin: 'gateway',
    executed: 'no',
    subject: { type: 'uri' },
    message: 'The pages of the console are not built',
    advice: 'Run `npm run build`, and start the gateway again.',
  },
};
