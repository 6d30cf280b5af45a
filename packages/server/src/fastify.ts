/** The REST twin for Fastify: `app.setErrorHandler(problems())`, `app.get('/faults/:kind', pages())`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkedPages, faultPage, type PageOptions } from './rest/pages.ts';
import { type ProblemOptions, problemWriter } from './rest/problem.ts';

/** Answers whatever a route throws with a problem document. */
export function problems(
  options?: ProblemOptions,
): (reason: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  const toProblem = problemWriter(options);
  return (reason, _request, reply) => {
    const { status, headers, body } = toProblem(reason);
    void reply
      .code(status)
      .headers({ ...headers })
      .serializer((value: unknown) => value as string)
      .send(JSON.stringify(body));
  };
}

/** Serves the pages behind problem types: those of the kinds, or of a dialect's codes. */
export function pages(options?: PageOptions): (request: FastifyRequest, reply: FastifyReply) => void {
  const checked = checkedPages(options);
  return (request, reply) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const { status, headers, body } = faultPage(path, request.headers.accept, checked);
    void reply
      .code(status)
      .headers({ ...headers })
      .send(body);
  };
}
