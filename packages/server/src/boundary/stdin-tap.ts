/**
 * The SDK's stdio transport drops lines that are not JSON, so that a client waits for ever, and forgets what
 * is under way when the input ends. A second listener on the same stream sees both.
 */
import type { TransportLike } from '../shapes.ts';
import { createLineReader, isBadLine, parseLine } from '../stdio-lines.ts';
import type { Boundary } from './boundary.ts';
import { createDrain } from './drain.ts';

const DRAIN_MS = 60_000;

/** Watches the process's input, if that is what the transport reads. */
export function tapStdin(boundary: Boundary, transport: TransportLike): void {
  const { stdin } = process;
  const before = stdin.listenerCount('data');
  const start = transport.start.bind(transport);
  const close = transport.close.bind(transport);
  const send = transport.send.bind(transport);
  const drain = createDrain(DRAIN_MS);
  let ended = false;
  let inEvent = false;
  let delivered = 0;
  let lines: string[] = [];
  const reader = createLineReader(Number.POSITIVE_INFINITY, {
    line: (text) => lines.push(text),
    oversize: () => {}, // there is no limit of ours; the SDK has its own
  });
  const rejectBad = (line: string): boolean => {
    const parsed = parseLine(line);
    if (isBadLine(parsed)) boundary.reject(parsed);
    return isBadLine(parsed);
  };
  const onData = (chunk: Buffer): void => {
    reader.push(chunk);
    // Lines are only counted as long as every one became a message.
    if (lines.length > delivered) for (const line of lines) rejectBad(line);
    lines = [];
    delivered = 0;
  };
  const onEnd = (): void => {
    if (ended) return;
    ended = true;
    reader.end();
    const last = lines.pop();
    if (last !== undefined && !rejectBad(last))
      transport.onmessage?.(parseLine(last) as Parameters<NonNullable<TransportLike['onmessage']>>[0]);
    drain.whenEmpty(() => void close());
  };
  transport.send = async (message, options) => {
    await send(message, options);
    drain.noticeOutgoing(message);
  };
  // The SDK closes at the end of the input, before anything under way is answered; its listeners stand
  // between these two.
  const enterEvent = (): void => {
    inEvent = true;
  };
  const leaveEvent = (): void => {
    inEvent = false;
    if (stdin.readableEnded) onEnd();
    else void close();
  };
  transport.close = async () => {
    if (!inEvent) await close();
  };
  transport.start = async () => {
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      delivered++;
      drain.noticeIncoming(message);
      deliver?.(message, extra);
    };
    stdin.on('end', enterEvent).on('close', enterEvent);
    await start();
    // The transport may have been given other streams, which are not ours to touch.
    if (stdin.listenerCount('data') === before) {
      stdin.off('end', enterEvent).off('close', enterEvent);
      return;
    }
    stdin.on('data', onData).on('end', leaveEvent).on('close', leaveEvent);
    const onclose = transport.onclose;
    transport.onclose = () => {
      drain.stop();
      stdin.off('data', onData).off('end', leaveEvent).off('close', leaveEvent);
      stdin.off('end', enterEvent).off('close', enterEvent);
      if (stdin.listenerCount('data') === 0) stdin.pause();
      onclose?.();
    };
  };
}
