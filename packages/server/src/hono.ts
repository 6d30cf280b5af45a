/** The REST twin for Hono: `app.onError(problems())`, `app.get('/faults/*', pages())`. */
import { faultPages } from './http.ts';
import type { PageOptions } from './rest/pages.ts';
import { type ProblemOptions, problemWriter } from './rest/problem.ts';
import { malformedBody } from './rest/refusals.ts';
import { look } from './words/look.ts';

/** A context of Hono, as far as it matters here. */
export interface Context {
  readonly req: { readonly raw: Request; text(): Promise<string> };
}

/** Answers whatever a route throws with a problem document. */
export function problems(options?: ProblemOptions): (reason: Error, context: Context) => Promise<Response> {
  const toProblem = problemWriter(options);
  return async (reason, context) => {
    const own = look(reason, 'res');
    if (own instanceof Response && 'getResponse' in reason) return (reason as Answering).getResponse();
    const isBody = await cameFromBody(reason, context);
    const { status, headers, body } = toProblem(isBody ? malformedBody(reason) : reason);
    return new Response(JSON.stringify(body), { status, headers });
  };
}

/** Hono's own error, which knows its answer. */
interface Answering {
  getResponse(): Response;
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
export function pages(options?: PageOptions): (context: Context) => Response {
  const serve = faultPages(options);
  return (context) => serve(context.req.raw);
}
