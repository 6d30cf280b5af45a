/** The REST twin for Hono: `app.onError(problems())`, `app.get('/faults/*', pages())`. */
import type { Context, ErrorHandler, Handler } from 'hono';
import { faultPages } from './http.ts';
import type { PageOptions } from './rest/pages.ts';
import { type ProblemOptions, problemWriter } from './rest/problem.ts';
import { malformedBody } from './rest/refusals.ts';
import { look } from './words/look.ts';

/** Answers whatever a route throws with a problem document. */
export function problems(options?: ProblemOptions): ErrorHandler {
  const toProblem = problemWriter(options);
  return async (reason, context) => {
    const own = look(reason, 'res');
    if (own instanceof Response && 'getResponse' in reason) return reason.getResponse();
    const isBody = await cameFromBody(reason, context);
    const { status, headers, body } = toProblem(isBody ? malformedBody(reason) : reason);
    return new Response(JSON.stringify(body), { status, headers });
  };
}

/** Is it about the request's body? Hono's own validator says so; a plain `SyntaxError` is asked for its likeness. */
async function cameFromBody(reason: unknown, context: Context): Promise<boolean> {
  if (look(reason, 'status') === 400 && look(reason, 'message') === 'Malformed JSON in request body')
    return true;
  if (!(reason instanceof SyntaxError)) return false;
  try {
    JSON.parse(await context.req.text());
    return false;
  } catch (again) {
    return again instanceof SyntaxError && again.message === reason.message;
  }
}

/** Serves the pages behind problem types: those of the kinds, or of a dialect's codes. */
export function pages(options?: PageOptions): Handler {
  const serve = faultPages(options);
  return (context: Context) => serve(context.req.raw);
}
