/**
 * Streams of notifications that the SDK's endpoint serves by itself: it asks a server only what it can notify of, and
 * never hands it the request. So the guards are asked here, of the endpoint's own.
 */
import { KINDS } from '@mayday/core';
import { type Failure, failureFromThrown } from './boundary/failure.ts';
import { unservedRequest } from './boundary/report-refusal.ts';
import type { RequestState } from './boundary/request-state.ts';
import { Passage } from './guards/guard.ts';
import type { Settings } from './options.ts';
import { reportStray } from './report/stray.ts';
import type { AuthInfo, Message } from './shapes.ts';

const LISTEN = 'subscriptions/listen';

/** Who may not listen, and as what it is told that. */
export interface RefusedListener {
  readonly state: RequestState;
  readonly failure: Failure;
  readonly answer: Pick<Response, 'status' | 'headers'>;
}

/** Asks the guards about a request to listen; the SDK refuses whose header does not say what its body says. */
export async function refusedListener(
  request: Request,
  [given]: readonly unknown[],
  settings: Settings,
): Promise<RefusedListener | undefined> {
  const { guards, clock, challenge } = settings;
  if (guards.length === 0 || request.headers.get('mcp-method') !== LISTEN) return undefined;
  const { authInfo, parsedBody } = Object(given) as {
    readonly authInfo?: AuthInfo;
    readonly parsedBody?: unknown;
  };
  const said = Object(parsedBody ?? (await bodyOf(request))) as Message;
  const message: Message = { ...said, jsonrpc: '2.0', method: LISTEN };
  const extra = { request, ...(authInfo === undefined ? {} : { authInfo }) };
  const state = unservedRequest(message, extra, clock.now());
  const passage = new Passage(state, (bug) => reportStray(state, settings, bug));
  try {
    await passage.enter(guards);
    return undefined;
  } catch (reason) {
    const failure = {
      ...failureFromThrown(reason, { settings, call: state, began: false }),
      ofRequest: true,
    };
    const { kind } = failure.thrown.fault;
    const headers = new Headers(kind === 'unauthenticated' ? { 'www-authenticate': challenge } : {});
    return { state, failure, answer: { status: KINDS[kind].http, headers } };
  } finally {
    passage.leave();
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  return request
    .clone()
    .json()
    .catch(() => undefined); // the endpoint says what is wrong with it
}
