/** A reader that falls behind holds its server back, and lets it go on when it has caught up or gone. */
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { request } from '../../test/tools.ts';
import type { Link, Sink } from '../links/link.ts';
import type { WireCall } from './call.ts';
import { SessionDelivery } from './delivery.ts';
import { overLink } from './over-link.ts';
import { Reply, type Response } from './reply.ts';
import { Session } from './session.ts';

const PROGRESS = Buffer.from('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}');

/** A connection whose reader takes nothing. */
class Stuck extends EventEmitter implements Response {
  destroyed = false;
  writableLength = 0;
  writableFinished = false;
  writeHead(): void {}
  flushHeaders(): void {}
  end(): void {}
  setTimeout(): void {}
  write(): boolean {
    return false;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A call whose server tells something three times in one go; the sink through which it does. */
function stuckCall() {
  let sink: Sink | undefined;
  const link: Link = {
    request: (_, given) => {
      sink = given;
      return () => {};
    },
    send: () => {},
    close: async () => {},
  };
  const response = new Stuck();
  const session = new Session({ id: 'ada', isKnown: true }, () => 0);
  const { body, peek } = request('tools/call');
  const call = {
    signal: new AbortController().signal,
    progress: {},
    headers: {},
    by: { id: 'ada', isKnown: true },
    body,
    peek,
    back: new SessionDelivery(new Reply(response), session, { body, peek, revision: '2025-11-25' }),
  } as unknown as WireCall;
  void overLink(link, { failureIn: () => undefined, understand: () => ({}) as never })(call);
  sink?.related(PROGRESS);
  const caughtUp = sink?.drained?.();
  sink?.related(PROGRESS);
  sink?.related(PROGRESS);
  return { caughtUp, response, session, sink };
}

const isOver = async (promise: Promise<void> | undefined): Promise<boolean> => {
  let over = false;
  void promise?.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
};

it('waits for one moment, however much came before the server was held back', async () => {
  const { caughtUp, response, sink } = stuckCall();
  expect(await isOver(caughtUp)).toBe(false);
  response.emit('drain');
  expect(await isOver(caughtUp)).toBe(true);
  sink?.related(PROGRESS);
  expect(await isOver(sink?.drained?.())).toBe(false);
});

it('waits for nobody who has gone: the call may go on without its reader', async () => {
  const { caughtUp, response } = stuckCall();
  response.destroy();
  expect(await isOver(caughtUp)).toBe(true);
});

it('waits for the connection that took the stream up again', async () => {
  const { caughtUp: before, response, session, sink } = stuckCall();
  response.destroy();
  expect(await isOver(before)).toBe(true);
  const second = new Stuck();
  session.open(new Reply(second), 'r1-3');
  sink?.related(PROGRESS);
  const caughtUp = sink?.drained?.();
  expect(await isOver(caughtUp)).toBe(false);
  second.emit('drain');
  expect(await isOver(caughtUp)).toBe(true);
});
