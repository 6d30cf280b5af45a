/**
 * Endpoints behind which there is no guard. What is given to an endpoint cannot reach into a server: a server that nobody
 * has guarded would answer with whatever was thrown, to whoever asks. Such an endpoint serves nobody, and says why.
 */
import { fault } from '@mayday/core';
import { type Watched, watchingRequest } from './boundary/refused-requests.ts';
import type { Refusal } from './guard-handler.ts';
import type { Message } from './shapes.ts';

/** What became of a request: an answer to look at, or a refusal to send as it is. */
export type Insisted = Watched<Response> | { readonly refusal: Response };

/** Handles the requests of one endpoint as long as nothing is known of a server behind it that nobody guards. */
export function insistOnGuard(
  refuse: (request: Request, refusal: Refusal) => Response,
): (request: Request, handle: () => Promise<Response>) => Promise<Insisted> {
  let isOpen = false;
  return async (request, handle) => {
    if (isOpen) return { refusal: refuse(request, unguarded('no')) };
    const watched = await watchingRequest(handle);
    const { guarded, handled } = watched;
    if (guarded || !(await isOfServer(request, handled))) return watched;
    isOpen = true;
    await handled.body?.cancel();
    return { refusal: refuse(request, unguarded('maybe')) };
  };
}

function unguarded(executed: 'maybe' | 'no'): Refusal {
  const thrown = fault.misconfigured('The MCP server behind this endpoint is not guarded', {
    executed,
    advice: 'Wrap it where it is made: `createMcpHandler(() => guard(createServer(), options))`.',
  });
  return { status: 500, thrown };
}

/** Is it the answer of an MCP server? */
async function isOfServer(request: Request, response: Response): Promise<boolean> {
  // Other methods only open and close what a request that was sent by POST has begun.
  if (request.method !== 'POST' || response.status >= 400) return false;
  const type = response.headers.get('content-type') ?? '';
  try {
    if (type.includes('json')) return isAnswer(await response.clone().json());
    return type.includes('event-stream') && isAnswer(JSON.parse(await firstData(response.clone())));
  } catch {
    return false; // no JSON: no message of MCP's
  }
}

/** What the SDK's endpoint itself says where it serves a stream of notifications, without any server. */
const WITHOUT_SERVER = 'notifications/subscriptions/acknowledged';

function isAnswer(said: unknown): boolean {
  return [said].flat().some((one) => {
    const { jsonrpc, method } = Object(one) as Partial<Message>;
    return jsonrpc === '2.0' && method !== WITHOUT_SERVER;
  });
}

const DATA = /^data: ?(\S.*)$/m;

/** The first event that says anything. */
async function firstData({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    const piece = decoder.decode(read.value, { stream: true });
    text += piece;
    const found = piece.includes('\n') ? DATA.exec(text.slice(0, text.lastIndexOf('\n'))) : null;
    if (found === null) continue;
    void reader?.cancel(); // settles when the other copy is read: there is nothing to wait for
    return found[1] ?? '';
  }
  return '';
}
