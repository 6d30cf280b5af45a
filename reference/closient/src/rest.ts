/** The operations as a REST interface: the same faults, as `application/problem+json`. */
import { type Fault, FaultError, fault, type Issue } from '@mayday/core';
import { closientProblem } from '@mayday/core/dialects/closient';
import { MAX_BODY_BYTES } from '@mayday/reference-shared';
import type { Logger } from '@mayday/server';
import { readRequestBody } from '@modelcontextprotocol/server';
import type { Desk } from './desk.ts';
import { OPERATIONS } from './operations.ts';

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

/** Answers one REST request. */
export async function answerRest(request: Request, desk: Desk, logger: Logger): Promise<Response> {
  const authorization = request.headers.get('authorization');
  try {
    const { name, path } = operationFor(request);
    const caller = desk.admit(name, authorization);
    const args = checked(name, { ...path, ...(await bodyOf(request)) });
    return Response.json(desk.run(name, args, caller), { headers: desk.headers(authorization) });
  } catch (error) {
    const thrown = FaultError.from(error);
    if (thrown.fault.kind === 'internal') logger.error({ err: error }, thrown.message);
    return problemResponse(thrown.fault, desk.headers(authorization));
  }
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
  if (matching.length > 0) throw fault.invalidRequest(`${request.method} is not allowed here`);
  throw fault.notFound('There is nothing at this address');
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
  try {
    const body: unknown = JSON.parse(read.text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // said below, without the parser's sentence, which quotes the body
  }
  throw fault.invalidRequest('The body must be a JSON object');
}

/** Over MCP the SDK checks arguments; here nobody else does. */
function checked(name: string, args: object): unknown {
  const { data, error } = (OPERATIONS[name] as (typeof OPERATIONS)[string]).input.safeParse(args);
  if (error === undefined) return data;
  const issues: Issue[] = error.issues.map(({ path, message, code }) => ({
    path: path.map(String),
    message,
    code,
  }));
  throw fault.invalidArguments(`Invalid arguments for ${name}`, { issues });
}

function problemResponse(said: Fault, limits: { [name: string]: string }): Response {
  const problem = closientProblem(said, Date.now());
  const headers = new Headers({ ...limits, 'content-type': 'application/problem+json' });
  if (said.kind === 'rate_limited') headers.set('retry-after', String(problem['retry_after']));
  if (said.kind === 'unauthenticated') headers.set('www-authenticate', 'Bearer error="invalid_token"');
  if (said.kind === 'forbidden') headers.set('www-authenticate', 'Bearer error="insufficient_scope"');
  return new Response(JSON.stringify(problem), { status: problem['status'] as number, headers });
}
