/** The end of the path: a call as one HTTP request of the server's own. */
import { idBytes } from '../framing/ids.ts';
import { AskedAs } from '../links/asked-as.ts';
import { linesAsEvents } from '../links/lines-as-events.ts';
import {
  cannotGoOn,
  endOf,
  inDoubt,
  isRefusalOfWork,
  lost,
  nameOf,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from './call.ts';
import { HttpExchange } from './http-exchange.ts';
import { type HttpExchangeOptions, sessionFor } from './http-exchange-options.ts';
import { sessionLost } from './lost-sessions.ts';
import { outcomeOf } from './over-link.ts';
import { attempted, insteadOfAnother, lateFor } from './taken-back.ts';
import type { Tellings } from './tellings.ts';

/** Which server, and how it is asked. */
export interface OverHttpOptions extends HttpExchangeOptions {
  /** An id that no other request to this server has had. */
  readonly newId: () => number;
  /** A call is asked; what it gives is called once, when that is over. */
  readonly onAsked: (call: WireCall) => () => void;
}

/** Asks over HTTP. */
export function overHttp(options: OverHttpOptions): WireHandler {
  return (call) => {
    if (call.signal.aborted) {
      const { fault, ended } = endOf(call);
      return Promise.resolve({ ...lost(call, fault), ended });
    }
    // Rounds are between the caller and the server here.
    if (call.onlyGoesOn === true) return Promise.resolve(cannotGoOn(call));
    if (options.lostSessions.has(sessionFor(call, options))) return Promise.resolve(sessionLost(call));
    const doubted = insteadOfAnother(call, reading(call, options));
    return doubted === undefined ? ask(call, options) : Promise.resolve(doubted);
  };
}

function ask(call: WireCall, options: OverHttpOptions): Promise<WireOutcome> {
  return new Promise<WireOutcome>((resolve, reject) => {
    const onOver = options.onAsked(call);
    try {
      // In a session a client uses no id twice, and nobody else uses its connections: what cancels a request, and who
      // takes its stream up elsewhere, must know the id too.
      const session = options.sessionOf(call);
      const asked = new AskedAs(call, session === undefined ? options.newId() : undefined);
      const exchange = new HttpExchange(call, asked, options, (came) => {
        stopHearing();
        call.signal.removeEventListener('abort', onAbort);
        onOver();
        const isSayingMore = options.tellings.isSayingMore(session);
        const outcome = attempted(call, isSayingMore ? inDoubt(came) : came, reading(call, options));
        keepHearing(call, asked, outcome, { session, tellings: options.tellings });
        const isProven = !outcome.ok && outcome.fault.executed === 'no' && outcome.fault.kind === 'expired';
        const { isDoubted, isUnopened } = exchange.denials;
        if (isUnopened && !isProven && session !== undefined) options.lostSessions.lose(session);
        if (!isDoubted || isUnopened || isProven || session === undefined) resolve(outcome);
        else void askIfKnown(call, session, options).finally(() => resolve(outcome));
      });
      const stopHearing = options.tellings.during(session, {
        asked,
        onTold: exchange.begun,
        isSayingMore: exchange.isSayingMore,
      });
      call.progress.began = true;
      const abort = options.client.send(
        {
          method: 'POST',
          path: options.path,
          headers: options.headersFor(call),
          body: asked.body,
          callerName: nameOf(call.by),
          session,
          headersTimeoutMs: 0, // the one who called owns the time limit
        },
        linesAsEvents(exchange),
      );
      const onAbort = (): void => {
        exchange.end(endOf(call));
        abort(); // a closed connection is how HTTP says that nobody waits
      };
      call.signal.addEventListener('abort', onAbort);
    } catch (error) {
      onOver();
      reject(error);
    }
  });
}

/** Whoever asks next in a session that is lost is told so, and opens a new one. */
function askIfKnown(call: WireCall, session: string, options: OverHttpOptions): Promise<void> {
  const { client, path, headersFor, lostSessions } = options;
  return lostSessions.ask({
    client,
    path,
    headers: headersFor(call),
    callerName: nameOf(call.by),
    session,
  });
}

/** What a late answer means. */
function reading(call: WireCall, { hear }: OverHttpOptions): (answer: Buffer) => WireOutcome {
  return (answer) => outcomeOf(call, answer, hear);
}

/** Where more is heard of a call. */
interface Heard {
  readonly session: string | undefined;
  readonly tellings: Tellings;
}

/** What is told behind a refusal counts until the call is made again. */
function keepHearing(
  call: WireCall,
  { id, token }: AskedAs,
  outcome: WireOutcome,
  { session, tellings }: Heard,
): void {
  const late = isRefusalOfWork(call, outcome) ? lateFor(call) : undefined;
  if (id === undefined || late === undefined) return;
  late.askBefore(() => tellings.isSayingMore(session));
  tellings.refused.keep(id, { late, callersId: idBytes(call.body, call.peek), session, token });
}
