/**
 * A response stream that always ends with an answer. Whole events pass as they come; when the stream ends or
 * breaks first, an error that says so takes the answer's place at once, not after the request's timeout.
 */
import { isAnswer, mendMessage, streamLost, unusable } from './answer.ts';
import type { Exchange } from './exchanges.ts';
import { errorReply, isObject, type RequestId } from './reply.ts';

/** How a stream is watched. */
export interface StreamOptions {
  readonly id: RequestId;
  /** The longest event that is held. */
  readonly maxBytes: number;
  readonly exchange: Pick<Exchange, 'isCancelled' | 'close'>;
}

const encoder = new TextEncoder();

/** The end of an event: an empty line, in any of the three line endings. */
const END_OF_EVENT = /\r\n\r\n|\n\n|\r\r/g;

/** Watches a response stream. */
export function mendStream(
  body: ReadableStream<Uint8Array>,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  const { id, maxBytes, exchange } = options;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let held = '';
  let answered = false;
  let resumable = false;

  const pass = (event: string): string => {
    // The SDK resumes a stream whose events have ids; it must see the break itself.
    if (/^id:/m.test(event)) resumable = true;
    if (answered || !/"(?:result|error)"/.test(event)) return event;
    const data = dataOf(event);
    const message = parse(data);
    if (isAnswer(message, id) || isOrphanError(message)) {
      answered = true;
      return `${withoutData(event)}data: ${JSON.stringify(mendMessage(data, id))}\n\n`;
    }
    return event;
  };
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, fault = streamLost()): void => {
    if (!answered) controller.enqueue(encoder.encode(`data: ${JSON.stringify(errorReply(id, fault))}\n\n`));
    answered = true;
    exchange.close();
    controller.close();
  };

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            if (!resumable || answered) return finish(controller);
            exchange.close();
            controller.close();
            return;
          }
          // Only what is new is searched; the end of an event may straddle two chunks.
          END_OF_EVENT.lastIndex = Math.max(0, held.length - 3);
          held += decoder.decode(value, { stream: true });
          let passed = '';
          let start = 0;
          for (let end = END_OF_EVENT.exec(held); end !== null; end = END_OF_EVENT.exec(held)) {
            passed += pass(held.slice(start, END_OF_EVENT.lastIndex));
            start = END_OF_EVENT.lastIndex;
          }
          held = held.slice(start);
          if (passed !== '') controller.enqueue(encoder.encode(passed));
          if (held.length > maxBytes) {
            void reader.cancel().catch(() => undefined);
            finish(controller, unusable(`The answer is larger than ${maxBytes} bytes`));
            return;
          }
          if (passed !== '') return;
        }
      } catch (error) {
        // A request that was taken back needs no answer, except to keep the SDK from resuming its stream.
        if (exchange.isCancelled && !resumable) answered = true;
        if (exchange.isCancelled) return finish(controller);
        // Our own abort must stay an abort, and a resumable stream must be seen to break.
        if (!resumable && !isAbort(error)) return finish(controller);
        exchange.close();
        controller.error(error);
      }
    },
    async cancel(reason) {
      exchange.close();
      await reader.cancel(reason);
    },
  });
}

function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line[5] === ' ' ? 6 : 5))
    .join('\n');
}

function withoutData(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '' && !line.startsWith('data:'))
    .map((line) => `${line}\n`)
    .join('');
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined; // garbage between messages is the SDK's to report
  }
}

function isOrphanError(message: unknown): boolean {
  return (
    isObject(message) &&
    isObject(message['error']) &&
    message['id'] == null &&
    message['method'] === undefined
  );
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
