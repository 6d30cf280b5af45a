/** A socket of one's own, for what no HTTP client would send. */
import { connect } from 'node:net';

/** Resolves with the first bytes of the answer, or an empty text when none came in time. */
export function firstWords(port: number, bytes: string | Buffer, within = 1500): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const late = setTimeout(() => end(''), within);
    const end = (text: string): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(text);
    };
    socket
      .setEncoding('utf8')
      .once('data', end)
      .once('error', () => end(''));
    socket.write(bytes);
  });
}
