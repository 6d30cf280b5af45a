/** Whatever a server calls is answered here, as the mode says: a status, a page, half of a document, a reset. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { SERVICES } from './services.ts';

/** What the upstream does with a request. */
export type Mode = `${number}` | 'html200' | 'badjson' | 'reset' | 'refused' | 'offline';

/** The upstream under the server. */
export interface Upstream {
  mode(mode: Mode): Promise<void>;
  /** Requests since the last change of mode. */
  hits(): number;
}

/** Words that services put beside a status. */
const SAYS: { readonly [status: number]: readonly [name: string, sentence: string] } = {
  400: ['bad_request', 'The request could not be understood'],
  401: ['unauthorized', 'Invalid or missing credentials'],
  402: ['payment_required', 'Your plan has no credits left'],
  403: ['forbidden', 'You do not have permission to do this'],
  404: ['not_found', 'The requested item was not found'],
  409: ['conflict', 'The item was changed by somebody else'],
  422: ['unprocessable_entity', 'The value of "name" is not allowed'],
  429: ['too_many_requests', 'Too many requests'],
  500: ['internal_error', 'Something broke on our side'],
  502: ['bad_gateway', 'Invalid response from backend'],
  503: ['unavailable', 'We are down for maintenance'],
  504: ['gateway_timeout', 'The backend took too long'],
};

type Form = (status: number, name: string, says: string) => readonly [type: string, body: string];

/** Plain forms of a body. */
const FORMS: readonly Form[] = [
  (status, name, says) => json({ error: { code: status, type: name, message: says } }),
  (_, name, says) => json({ error: name, error_description: says }),
  (status, name, says) => json({ type: 'about:blank', title: name, status, detail: says }),
  (_, __, says) => json({ message: says }),
  (_, __, says) => ['text/plain', says],
  () => ['text/plain', ''],
  (status, name, says) => json({ errors: [{ status: String(status), code: name, detail: says }] }),
  (status, name) => ['text/html', `<html><head><title>${status} ${name}</title></head><body></body></html>`],
];

/** Each server meets one of them. */
const ALL: readonly Form[] = [
  ...FORMS,
  ...SERVICES.map(
    ({ words, body }): Form =>
      (status, name, says) => {
        const [code, sentence] = words[status] ?? [name, says];
        return json(body(status, code, sentence));
      },
  ),
];

function json(body: unknown): readonly [string, string] {
  return ['application/json', JSON.stringify(body)];
}

/** Starts listening on the ports that clients call; `form` picks the form of its bodies. */
export async function startUpstream(form: number, key: string, certificate: string): Promise<Upstream> {
  let mode: Mode = '404';
  let hits = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    hits += 1;
    request.resume();
    if (mode === 'reset') request.socket.destroy();
    else if (mode === 'html200')
      send(response, 200, 'text/html', '<!DOCTYPE html><html><body>Sign in</body></html>');
    else if (mode === 'badjson') send(response, 200, 'application/json', '{"data": [{"id": 1, "na');
    else {
      const status = Number(mode);
      const [name, says] = SAYS[status] ?? ['error', 'An error'];
      const [type, body] = (ALL[form % ALL.length] as Form)(status, name, says);
      send(response, status, type, body);
    }
  };
  const tls = { key: readFileSync(key), cert: readFileSync(certificate) };
  const servers: readonly (readonly [Server, number])[] = [
    [createServer(answer), 80],
    [createServer(answer), 8080],
    [createSecureServer(tls, answer), 443],
  ];
  const open = (): Promise<unknown> =>
    Promise.all(
      servers.map(([server, port]) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))),
    );
  await open();
  return {
    hits: () => hits,
    mode: async (next) => {
      if (next === 'refused')
        for (const [server] of servers) {
          server.close();
          server.closeAllConnections();
        }
      else if (mode === 'refused') await open();
      mode = next;
      hits = 0;
    },
  };
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, connection: 'close' });
  response.end(body);
}
