/** Links to a server that answers byte by byte as a test says. */
import type { Socket } from 'node:net';
import { afterEach } from 'vitest';
import { decode } from '../src/framing/json.ts';
import { countIds } from '../src/links/asked-as.ts';
import { HttpLink, type HttpLinkOptions } from '../src/links/http-link.ts';
import { type RawRequest, type RawServer, rawServer } from './raw-server.ts';

const links: HttpLink[] = [];
const servers: RawServer[] = [];
export const notes: string[] = [];
export const unasked: unknown[] = [];

export async function connect(
  answer: string | ((request: RawRequest, socket: Socket) => void),
  options: Partial<HttpLinkOptions> = {},
): Promise<{ link: HttpLink; server: RawServer }> {
  const server = await rawServer(
    typeof answer === 'string' ? (_request, socket) => socket.end(answer) : answer,
  );
  servers.push(server);
  const link = new HttpLink({
    url: server.url,
    newId: countIds(undefined, () => 0), // from 1 on, as the answers of the tests have it
    onMessage: (bytes) => unasked.push(decode(bytes)),
    onNote: (note) => notes.push(note),
    ...options,
  });
  links.push(link);
  return { link, server };
}

/** Closes behind every test of a file what it has opened. */
export function closingLinks(): void {
  afterEach(async () => {
    await Promise.all(links.splice(0).map((link) => link.close()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
    notes.length = 0;
    unasked.length = 0;
  });
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

export const OK = '{"jsonrpc":"2.0","id":1,"result":{"fine":true}}';
/** The answer with the id that was asked. */
export const withIdOf = ({ body }: RawRequest, answer: string): string =>
  answer.replace(/"id":\d+/, /"id":\d+/.exec(body)?.[0] ?? '');
export const event = (text: string): string => `data: ${text}\n\n`;
