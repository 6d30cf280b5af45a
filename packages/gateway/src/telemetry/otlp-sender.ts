/** Sends one request to a collector, and believes nothing that it says beyond a status. */
import { readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { http } from '@mayday/relay';
import type { OtlpTarget } from './config.ts';
import { toProtobuf } from './otlp-protobuf.ts';

/** What became of a request. */
type Sent =
  | { readonly ok: true }
  /** `again`: the same may be taken later, not before so many milliseconds. */
  | { readonly ok: false; readonly why: string; readonly again: number | undefined };

/** Sends to one address. */
export interface OtlpSender {
  /** Takes the JSON form of a request. Never rejects; takes no longer than the time limit. */
  send(message: object, limitMs?: number): Promise<Sent>;
  /** Gives up what is under way. */
  close(): void;
}

const zip = promisify(gzip);

/** Nobody needs to say more than this about what it has taken. */
const MAX_ANSWER = 64 * 1024;
const AGAIN: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const DEFAULT_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

/** Creates a sender. Throws where a file of the settings cannot be read. */
export function createSender(target: OtlpTarget, version: string): OtlpSender {
  const { url, protocol, timeoutMs } = target;
  const isSecure = url.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: 1, ...filesOf(target.tls) };
  const agent = isSecure ? new HttpsAgent(options) : new http.Agent(options);
  const open = isSecure ? httpsRequest : http.request;
  const where = `${url.origin}${url.pathname}`;
  const under = new Set<ClientRequest>();
  const headers = {
    'user-agent': `mayday-gateway/${version}`,
    ...target.headers,
    'content-type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
    ...(target.isZipped ? { 'content-encoding': 'gzip' } : {}),
  };

  function post(body: Buffer, limitMs: number): Promise<Sent> {
    return new Promise((resolve) => {
      const request = open(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': body.length },
      });
      under.add(request);
      const end = (sent: Sent): void => {
        clearTimeout(timer);
        under.delete(request);
        resolve(sent);
      };
      const cut = (why: string): void => {
        end({ ok: false, why: `${where} ${why}`, again: DEFAULT_WAIT_MS });
        request.destroy();
      };
      const timer = setTimeout(() => cut(`did not answer within ${limitMs} ms`), limitMs).unref();
      request.on('error', (error: NodeJS.ErrnoException) =>
        end({
          ok: false,
          why: `${where} cannot be reached (${error.code ?? error.name})`,
          again: DEFAULT_WAIT_MS,
        }),
      );
      request.on('response', (response) => {
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= MAX_ANSWER) return;
          end(judged(response, where));
          request.destroy();
        });
        response.on('end', () => end(judged(response, where)));
        response.on('error', () => cut('broke off its answer'));
        response.on('aborted', () => cut('broke off its answer'));
      });
      request.end(body);
    });
  }

  return {
    async send(message, limitMs = timeoutMs) {
      const plain = protocol === 'http/json' ? Buffer.from(JSON.stringify(message)) : toProtobuf(message);
      return post(target.isZipped ? await zip(plain) : plain, Math.min(limitMs, timeoutMs));
    },
    close() {
      for (const request of under) request.destroy();
      agent.destroy();
    },
  };
}

function judged({ statusCode = 0, headers }: IncomingMessage, where: string): Sent {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const why = `${where} answered ${statusCode}`;
  if (!AGAIN.has(statusCode)) return { ok: false, why, again: undefined };
  const said = Number(headers['retry-after']) * 1000;
  const again = said >= 0 ? Math.min(said, MAX_WAIT_MS) : DEFAULT_WAIT_MS;
  return { ok: false, why, again };
}

function filesOf({ ca, key, cert }: OtlpTarget['tls']): { [name: string]: Buffer } {
  const found: { [name: string]: Buffer } = {};
  if (ca !== undefined) found['ca'] = readFileSync(ca);
  if (key !== undefined) found['key'] = readFileSync(key);
  if (cert !== undefined) found['cert'] = readFileSync(cert);
  return found;
}
