/** The REST interface: keys, limits, workspaces, routes. */
import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@mayday/core';
import { type Counts, MAX_BODY_BYTES, objectIn, transaction } from '@mayday/reference-shared';
import type { Logger } from '@mayday/server';
import { readRequestBody } from '@modelcontextprotocol/server';
import { requireKey, requireWorkspace } from './keys.ts';
import { createLimit } from './limit.ts';
import { refusal } from './refusal.ts';
import { ROUTES, type Route } from './routes.ts';

/** How the interface is set up. */
export interface ApiOptions {
  readonly store: DatabaseSync;
  /** What keys have used of the last second. */
  readonly counts: Counts;
  readonly logger: Logger;
  /** Requests a second for each key. */
  readonly perSecond: number;
}

/** Answers requests under `/api/v1`. */
export function createApi({
  store,
  counts,
  logger,
  perSecond,
}: ApiOptions): (request: Request) => Promise<Response> {
  const count = createLimit(counts, perSecond);
  return async (request) => {
    try {
      const key = requireKey(store, request.headers.get('authorization'));
      count(key.id);
      const { route, id } = routeFor(request);
      const body = await bodyOf(request);
      const asked = new URL(request.url).searchParams.getAll('workspace');
      const given = body['workspace'] ?? asked[0];
      if (asked.some((other) => other !== given))
        throw refusal(400, 'Invalid arguments', 'Name one workspace, not several.');
      const workspace = requireWorkspace(key, given);
      // Between what it reads and what it writes no other process comes.
      const answer = transaction(store, () => route.answer({ store, workspace, id, body }));
      if (answer === undefined) return new Response(null, { status: 204 });
      return Response.json(answer, { status: route.status ?? 200 });
    } catch (thrown) {
      if (thrown instanceof Response) return thrown;
      logger.error({ err: thrown }, 'The REST interface failed');
      return refusal(500, 'Internal server error');
    }
  };
}

function routeFor(request: Request): { route: Route; id: string } {
  for (const route of ROUTES) {
    const found = route.method === request.method ? route.path.exec(request.url) : null;
    if (found !== null) return { route, id: found.pathname.groups['id'] ?? '' };
  }
  const allow = ROUTES.filter(({ path }) => path.test(request.url))
    .map(({ method }) => method)
    .join(', ');
  if (allow !== '') throw refusal(405, 'Method not allowed', undefined, { headers: { allow } });
  throw refusal(404, 'Endpoint not found');
}

async function bodyOf(request: Request): Promise<JsonObject> {
  const read = await readRequestBody(request, MAX_BODY_BYTES);
  if (read.tooLarge) throw refusal(413, 'Payload too large', `At most ${MAX_BODY_BYTES} bytes.`);
  const body = read.text === '' ? {} : objectIn(read.text);
  if (body === undefined) throw refusal(400, 'Invalid arguments', 'The body must be a JSON object.');
  return body;
}
