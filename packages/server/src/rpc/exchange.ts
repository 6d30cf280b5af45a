/** One HTTP response: JSON as long as the answer is all there is to say, a stream as soon as there is more. */
import type { ServerResponse } from 'node:http';
import { jsonOf } from '../json-once.ts';

/** An HTTP response that messages go into. */
export interface Exchange {
  /** Says something before the answer. */
  push(message: object): void;
  /** The answer; then it is over. */
  end(answer: object | undefined, status?: number): void;
}

/** An exchange over a response of Node's. */
export function createExchange(
  response: ServerResponse,
  headers: () => { [name: string]: string },
): Exchange {
  const event = (message: object): void => {
    response.write(`event: message\ndata: ${jsonOf(message)}\n\n`);
  };
  return {
    push(message) {
      if (response.writableEnded) return;
      if (!response.headersSent)
        response.writeHead(200, {
          ...headers(),
          'content-type': 'text/event-stream',
          'cache-control': 'no-cache',
        });
      event(message);
    },
    end(answer, status = answer === undefined ? 202 : 200) {
      if (response.headersSent) {
        if (answer !== undefined) event(answer);
        response.end();
        return;
      }
      response.writeHead(status, { ...headers(), ...(answer === undefined ? {} : JSON_TYPE) });
      response.end(answer === undefined ? undefined : jsonOf(answer));
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
