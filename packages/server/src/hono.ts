/** The REST twin for Hono: `app.onError(problems())`, `app.get('/faults/*', pages())`. */
import type { Context, ErrorHandler, Handler } from 'hono';
import { faultPages } from './http.ts';
import { type ProblemOptions, problemWriter } from './rest/problem.ts';

/** Answers whatever a route throws with a problem document. */
export function problems(options?: ProblemOptions): ErrorHandler {
  const toProblem = problemWriter(options);
  return (reason) => {
    const { status, headers, body } = toProblem(reason);
    return new Response(JSON.stringify(body), { status, headers });
  };
}

/** Serves the pages behind problem types. */
export function pages(): Handler {
  const serve = faultPages();
  return (context: Context) => serve(context.req.raw);
}
