/** The REST twin for Express: `app.use(problems())` after all routes, `app.get('/faults/*kind', pages())`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeFaultPages, sendProblem } from './http.ts';
import type { PageOptions } from './rest/pages.ts';
import { type ProblemOptions, problemWriter } from './rest/problem.ts';

/** Answers whatever a route throws with a problem document. */
export function problems(
  options?: ProblemOptions,
): (reason: unknown, request: unknown, response: ServerResponse, next: unknown) => void {
  const toProblem = problemWriter(options);
  // Express knows an error handler by its four parameters.
  return (reason, _request, response, _next) => sendProblem(response, toProblem(reason));
}

/** Serves the pages behind problem types: those of the kinds, or of a dialect's codes. */
export function pages(options?: PageOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = nodeFaultPages(options);
  return (request, response) => serve(request, response);
}
