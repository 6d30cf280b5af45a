/** What a broken connection to a server means. */
import type { FaultInit } from '@mayday/core';
import { isMembers } from '../framing/json.ts';
import { NotGiven } from './giving-client.ts';

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ERR_CONNECT_TIMEOUT',
]);
const LATE: ReadonlySet<string> = new Set(['ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']);
/**
 * The fault of a request that got no answer. `sent`: bytes of it may have reached the server, so that it may have been
 * executed. Nothing of the error's text leaves: it may name hosts.
 */
export function transportFault(error: unknown, sent = true): FaultInit {
  if (error instanceof NotGiven) return error.fault;
  const code = isMembers(error) && typeof error['code'] === 'string' ? error['code'] : '';
  if (
    code.includes('CERT') ||
    code.startsWith('UNABLE_TO_VERIFY') ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL')
  ) {
    return {
      kind: 'misconfigured',
      origin: 'gateway',
      executed: sent ? 'maybe' : 'no',
      message: secureTrouble(code),
      advice: secureAdvice(code),
      details: { code },
    };
  }
  if (code === 'ERR_UNSENDABLE') {
    return {
      kind: 'invalid_request',
      origin: 'caller',
      executed: 'no',
      message: 'The request has a header that cannot be sent',
    };
  }
  if (!sent) return unreachable(code);
  if (LATE.has(code))
    return { kind: 'timeout', origin: 'gateway', message: 'The server did not answer in time' };
  if (code === 'ERR_NOT_HTTP') {
    return { kind: 'upstream_failed', origin: 'upstream', message: 'The server did not speak HTTP' };
  }
  return {
    kind: 'disconnected',
    origin: 'transport',
    executed: 'maybe',
    message: 'The connection to the server broke before it answered',
  };
}

/** Why a connection that nobody can listen to could not be made. */
function secureTrouble(code: string): string {
  if (PLAIN.test(code))
    return `The server does not speak TLS (${code}); its address may have to begin with http://`;
  return /CERT|VERIFY/.test(code)
    ? `The server's certificate was not accepted (${code})`
    : `A secure connection to the server could not be made (${code})`;
}

function secureAdvice(code: string): string | undefined {
  if (PLAIN.test(code)) return undefined; // said already
  if (code.includes('EXPIRED')) return 'Its certificate has to be renewed.';
  if (code.includes('ALTNAME'))
    return 'The certificate is for another host: correct the address of this server.';
  return /CERT|VERIFY/.test(code)
    ? 'If it is signed by an authority of your own, give the certificate of that as `ca` of this server.'
    : undefined;
}

/** What is said of bytes that are no TLS at all. */
const PLAIN = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/;

const AT_THE_NETWORK = 'Look at the network, its firewall and its proxy, then try again.';
const TO_DO: { readonly [code: string]: string } = {
  ECONNREFUSED: 'Start the server, or correct the port in its address.',
  ENOTFOUND: 'Correct the name of the host in its address, or look at the network.',
  EAI_AGAIN: 'Look at the network: names of hosts cannot be looked up now.',
  EHOSTUNREACH: AT_THE_NETWORK,
  ENETUNREACH: AT_THE_NETWORK,
  ERR_CONNECT_TIMEOUT: AT_THE_NETWORK,
};

const PROXY_ADDRESS =
  'Start the proxy, or correct its address: `proxy` of this server, or what the environment has.';
const PROXY_PASSWORD =
  'Give the user and the password that the proxy asks for in its address (`proxy` of this server).';

function unreachable(code: string): FaultInit {
  const [, refused] = /^ERR_PROXY_(\w+)$/.exec(code) ?? [];
  if (refused !== undefined) {
    const said = /^\d/.test(refused)
      ? `refused to connect to the server (HTTP ${refused})`
      : refused === 'ANSWER'
        ? 'did not speak HTTP'
        : `cannot be reached (${refused})`;
    return {
      kind: refused.startsWith('4') || refused === 'ANSWER' ? 'misconfigured' : 'unavailable',
      origin: 'gateway',
      executed: 'no',
      message: `The proxy ${said}`,
      advice: refused === '407' ? PROXY_PASSWORD : PROXY_ADDRESS,
      details: { code },
    };
  }
  return {
    kind: 'unavailable',
    origin: 'upstream',
    executed: 'no',
    message: UNREACHABLE.has(code)
      ? `The server cannot be reached (${code})`
      : 'The connection to the server could not be made',
    advice: TO_DO[code],
    details: code === '' ? undefined : { code },
  };
}
