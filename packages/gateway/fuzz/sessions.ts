/** Sessions for hostile callers to use, misuse and delete. */
import type { Gateway } from '../acceptance/support/gateway.ts';
import { post } from '../acceptance/support/http.ts';
import { initialize } from '../acceptance/support/messages.ts';
import { ENDPOINTS } from './range.ts';

/** Opens one session at each endpoint that has them. */
export async function openSessions(gateway: Gateway, key: string): Promise<string[]> {
  const opened = await Promise.all(
    ENDPOINTS.map(({ path }) =>
      post(gateway.url + path, initialize(), { key, within: 5000 }).then(
        ({ headers }) => headers['mcp-session-id'],
      ),
    ),
  );
  return opened.filter((session) => typeof session === 'string');
}
