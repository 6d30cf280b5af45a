/** The REST twin for Fastify: `app.setErrorHandler(problems())`, `app.get('/faults/:kind', pages())`. */
import { checkedPages, faultPage, type PageOptions } from './rest/pages.ts';
import { type ProblemOptions, problemWriter } from './rest/problem.ts';

/** A request of Fastify, as far as it matters here. */
export interface PageRequest {
  readonly url: string;
  readonly headers: { readonly accept?: string | undefined };
}

/** A reply of Fastify, as far as it matters here. */
export interface Reply {
  code(status: number): unknown;
  headers(values: { readonly [name: string]: string }): unknown;
  serializer(serialize: (value: unknown) => string): unknown;
  send(body: string): unknown;
}

/** Answers whatever a route throws with a problem document. */
export function problems(
  options?: ProblemOptions,
): (reason: unknown, request: unknown, reply: Reply) => void {
  const toProblem = problemWriter(options);
  return (reason, _request, reply) => {
    const { status, headers, body } = toProblem(reason);
    reply.code(status);
    reply.headers({ ...headers });
    reply.serializer((value) => value as string);
    reply.send(JSON.stringify(body));
  };
}

/** Serves the pages behind problem types: those of the kinds, or of a dialect's codes. */
export function pages(options?: PageOptions): (request: PageRequest, reply: Reply) => void {
  const checked = checkedPages(options);
  return (request, reply) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const { status, headers, body } = faultPage(path, request.headers.accept, checked);
    reply.code(status);
    reply.headers({ ...headers });
    reply.send(body);
  };
}
