/** The operations as a REST interface: the same faults, as `application/problem+json`. */
import { fault } from '@mayday/core';
import { MAX_BODY_BYTES, objectIn } from '@mayday/reference-shared';
import { checkArguments, type Logger } from '@mayday/server';
import { type NodeRefusal, problemWriter } from '@mayday/server/http';
import { readRequestBody } from '@modelcontextprotocol/server';
import type { Desk } from './desk.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** `GET /v1/…`, and the operation behind it. Path parameters and the query are its arguments. */
const ROUTES: readonly (readonly [method: string, path: URLPattern, operation: string])[] = [
  ['GET', route('/v1/ping'), 'ping'],
  ['GET', route('/v1/gtins/:gtin/validation'), 'validate_gtin'],
  ['GET', route('/v1/gtins/:gtin/resolution'), 'resolve_gtin'],
  ['GET', route('/v1/products/:gtin'), 'lookup_product'],
  ['POST', route('/v1/qr'), 'generate_qr_url'],
  ['POST', route('/v1/claims'), 'claim_gtin'],
];

function route(pathname: string): URLPattern {
  return new URLPattern({ pathname });
}

/** The interface, and what it says where the listener says no. */
export interface Rest {
  readonly answer: (request: Request) => Promise<Response>;
  readonly refused: (refusal: NodeRefusal) => Response;
}

/** Answers REST requests. What goes wrong is written by the kit, as it is over MCP. */
export function createRest(desk: Desk, logger: Logger): Rest {
  const toProblem = problemWriter({ dialect: 'closient', logger });
  const refused = ({ status, headers, thrown }: NodeRefusal): Response => {
    const problem = toProblem(status === 405 ? Object.assign(new Error(), { status, headers }) : thrown);
    return new Response(JSON.stringify(problem.body), {
      status,
      headers: { ...problem.headers, ...headers },
    });
  };
  const answer = async (request: Request): Promise<Response> => {
    const authorization = request.headers.get('authorization');
    try {
      const { name, path } = operationFor(request);
      const caller = desk.admit(name, authorization);
      const { input } = OPERATIONS[name] as Operation;
      const args = await checkArguments(name, input, { ...path, ...(await bodyOf(request)) });
      return Response.json(desk.run(name, args, caller), { headers: desk.headers(authorization) });
    } catch (reason) {
      const { status, headers, body } = toProblem(reason);
      const limits = desk.headers(authorization);
      return new Response(JSON.stringify(body), { status, headers: { ...limits, ...headers } });
    }
  };
  return { answer, refused };
}

function operationFor(request: Request): { name: string; path: { [name: string]: string | undefined } } {
  const url = new URL(request.url);
  const matching = ROUTES.filter(([, path]) => path.test(url));
  const found = matching.find(([method]) => method === request.method);
  if (found !== undefined) {
    const groups = found[1].exec(url)?.pathname.groups ?? {};
    const parts = Object.entries(groups).map(([key, value]) => [key, decoded(value ?? '')]);
    return {
      name: found[2],
      path: { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(parts) },
    };
  }
  if (matching.length > 0) throw notAllowed(request.method, matching.map(([method]) => method).join(', '));
  throw fault.notFound('There is nothing at this address');
}

function notAllowed(method: string, allow: string): Error {
  return Object.assign(new Error(`${method} is not allowed here`), { status: 405, headers: { allow } });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw fault.invalidRequest('The address is malformed');
  }
}

async function bodyOf(request: Request): Promise<object> {
  if (request.method === 'GET') return {};
  const read = await readRequestBody(request, MAX_BODY_BYTES);
  if (read.tooLarge) throw fault.tooLarge(`The body must not exceed ${MAX_BODY_BYTES} bytes`);
  const body = objectIn(read.text);
  if (body === undefined) throw fault.invalidRequest('The body must be a JSON object');
  return body;
}
