/**
 * HTTP: MCP endpoints whose rejections are faults, and the REST twin for web `fetch` and `node:http`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectListener } from './handler-check.ts';
import { checkedPages, faultPage, type Page, type PageOptions } from './rest/pages.ts';
import { type Problem, type ProblemOptions, problemWriter } from './rest/problem.ts';

export { type FetchHandler, guardHandler } from './guard-handler.ts';
export { type NodeHandlerOptions, type NodeRefusal, nodeHandler } from './node-handler.ts';
export { faultPage, type Page, type PageOptions } from './rest/pages.ts';
export { type Problem, type ProblemOptions, problemWriter } from './rest/problem.ts';

/** Anything thrown, as a web `Response` with a problem document. */
export function problemResponse(reason: unknown, options?: ProblemOptions): Response {
  const { status, headers, body } = problemWriter(options)(reason);
  return new Response(JSON.stringify(body), { status, headers });
}

/** A web handler that answers with a problem where the given one throws. */
export function withProblems<Rest extends unknown[]>(
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  options?: ProblemOptions,
): (request: Request, ...rest: Rest) => Promise<Response> {
  expectListener(handler);
  const toProblem = problemWriter(options);
  return async (request, ...rest) => {
    try {
      return await handler(request, ...rest);
    } catch (reason) {
      const { status, headers, body } = toProblem(reason);
      return new Response(JSON.stringify(body), { status, headers });
    }
  };
}

/** Sends a problem over `node:http`, unless the answer is already on its way. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    response.destroy(); // half an answer must not pass for a whole one
    return;
  }
  response.writeHead(problem.status, { ...problem.headers });
  response.end(JSON.stringify(problem.body));
}

/** A `node:http` listener that answers with a problem where the given one throws. */
export function withNodeProblems(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  options?: ProblemOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  expectListener(listener);
  const toProblem = problemWriter(options);
  return async (request, response) => {
    try {
      await listener(request, response);
    } catch (reason) {
      sendProblem(response, toProblem(reason));
    }
  };
}

/**
 * Serves the pages behind problem types to web requests: mount it where `typeBase` points, or where a dialect's own
 * document puts them.
 *
 * @example
 * const pages = faultPages({ dialect: 'closient' });
 * app.get('/docs/errors/*', (context) => pages(context.req.raw)); // Hono; `pages` of `/hono` does it in one word
 */
export function faultPages(options?: PageOptions): (request: Request) => Response {
  const checked = checkedPages(options);
  return (request) => {
    const { status, headers, body } = faultPage(
      new URL(request.url).pathname,
      request.headers.get('accept') ?? undefined,
      checked,
    );
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  };
}

/**
 * The same for `node:http`.
 *
 * @example
 * const pages = nodeFaultPages({ dialect: 'closient' });
 * createServer((request, response) => (isPage(request) ? pages : mcp)(request, response));
 */
export function nodeFaultPages(
  options?: PageOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const checked = checkedPages(options);
  return (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const { status, headers, body }: Page = faultPage(path, request.headers.accept, checked);
    response.writeHead(status, { ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}
