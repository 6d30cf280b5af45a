/** The way to a server through an HTTP proxy: a connection to the proxy, which then carries bytes (RFC 9110, 9.3.6). */
import { connect as connectPlain, type Socket } from 'node:net';
import { tls } from '../../node-http.ts';

/** The largest head of an answer that a proxy may give. */
const MAX_HEAD = 16 * 1024;
const END = '\r\n\r\n';

/** A proxy has answered, and nothing has reached the server. */
export function proxyRefused(said: number | string): Error {
  return Object.assign(new Error('the proxy refused'), { code: `ERR_PROXY_${said}` });
}

/** Opens a connection to a proxy. */
export function toProxy(proxy: URL): Socket {
  const { hostname: host, protocol } = proxy;
  const port = portOf(proxy);
  const address = { host: host.replace(/^\[(.*)\]$/, '$1'), port };
  return protocol === 'https:'
    ? tls().connect({ ...address, servername: address.host, ALPNProtocols: ['http/1.1'] })
    : connectPlain({ ...address, noDelay: true });
}

/** The port that a URL means. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** What a proxy is told about who asks; nothing, where its URL names nobody. */
export function proxyCredentials({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const said = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(said, 'utf8').toString('base64')}`;
}

/** What was met on the way to a proxy, told from the same on the way to a server. */
export function proxyError(error: Error & { readonly code?: unknown }): Error {
  const { code } = error;
  const isOfTheWay = typeof code === 'string' && /^E(?!RR_)[A-Z_]+$/.test(code);
  return isOfTheWay ? Object.assign(new Error(error.message), { code: `ERR_PROXY_${code}` }) : error;
}

/** Has a proxy connect to a server. `onOpen` is called when bytes go through; what it refuses is an error with a code. */
export function tunnel(
  socket: Socket,
  { proxy, host, port, onOpen }: TunnelOptions,
  onError: (error: Error) => void,
): void {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = proxyCredentials(proxy);
  const asking = [
    `CONNECT ${where} HTTP/1.1`,
    `Host: ${where}`,
    ...(credentials === undefined ? [] : [`Proxy-Authorization: ${credentials}`]),
  ].join('\r\n');
  let head = '';
  const onData = (chunk: Buffer): void => {
    head += chunk.toString('latin1');
    const end = head.indexOf(END);
    if (end < 0 && head.length <= MAX_HEAD) return;
    socket.off('data', onData);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
    if (end < 0 || status < 200 || status >= 300) {
      onError(proxyRefused(status || 'ANSWER'));
      return;
    }
    // Bytes behind the head would be the server's, which has not been spoken to.
    if (end + END.length < head.length) onError(new Error('the proxy said more than it was asked'));
    else onOpen();
  };
  socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () =>
    socket.write(`${asking}${END}`, 'latin1'),
  );
  socket.on('data', onData);
}

/** Where to. */
export interface TunnelOptions {
  readonly proxy: URL;
  readonly host: string;
  readonly port: number;
  readonly onOpen: () => void;
}
