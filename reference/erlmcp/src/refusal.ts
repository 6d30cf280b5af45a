/** Whatever was thrown, as the error response that leaves the server. */
import { causeOf, FaultError, faultOf, language } from '@mayday/core';
import { badLineAnswer, type RequestId } from '@mayday/server/rpc';
import type { App } from './app.ts';
import { raise } from './errors.ts';

/** The response for something that was thrown: logged first, then handed over to be sent. */
export function refusal(
  app: App,
  reason: unknown,
  id: RequestId | null,
  { method = '', session }: { readonly method?: string; readonly session?: string } = {},
): object {
  const thrown = faultOf(reason) === undefined ? raise('internal_error', undefined, reason) : reason;
  const bad = { thrown: FaultError.from(thrown), id: id ?? undefined };
  const answer = badLineAnswer(bad, 'erlmcp', language, app.clock.now());
  if (answer.error !== undefined) app.journal.add(answer.error, { method, session }, causeOf(thrown));
  return answer;
}

const REASONS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_closed',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  ETIMEDOUT: 'connection_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connection_timeout',
};

/** A handler's own word for what went wrong: short, safe to send. */
export class Reason extends Error {
  override readonly name = 'Reason';
}

/** One word for an exception. Its message stays here: nobody knows what is in it. */
export function reasonFor(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error instanceof Reason) return error.message;
    const known = REASONS[String((error as { code?: unknown }).code)];
    if (known !== undefined) return known;
  }
  return 'unexpected_exception';
}
