/**
 * The SDK's stdio transport drops lines that are not JSON, so that a client waits for ever. A second listener
 * on the same stream sees them and answers. Lines are only counted as long as every one became a message.
 */
import type { TransportLike } from '../shapes.ts';
import { isBadLine, parseLine } from '../stdio-lines.ts';
import type { Boundary } from './boundary.ts';

/** Watches the process's input, if that is what the transport reads. */
export function tapStdin(boundary: Boundary, transport: TransportLike): void {
  const { stdin } = process;
  const before = stdin.listenerCount('data');
  const start = transport.start.bind(transport);
  let delivered = 0;
  let rest = '';
  const onData = (chunk: Buffer): void => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() as string;
    const expected = lines.filter((line) => line.trim() !== '');
    if (expected.length > delivered) {
      for (const line of expected) {
        const parsed = parseLine(line);
        if (isBadLine(parsed)) boundary.reject(parsed.thrown, parsed.code, parsed.id);
      }
    }
    delivered = 0;
  };
  transport.start = async () => {
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      delivered++;
      deliver?.(message, extra);
    };
    await start();
    // The transport may have been given other streams, which are not ours to touch.
    if (stdin.listenerCount('data') === before) return;
    stdin.on('data', onData);
    const close = transport.onclose;
    transport.onclose = () => {
      stdin.off('data', onData);
      if (stdin.listenerCount('data') === 0) stdin.pause();
      close?.();
    };
  };
}
