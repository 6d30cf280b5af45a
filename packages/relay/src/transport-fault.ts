/** What a broken connection to a server means. */
import type { FaultInit } from '@mayday/core';

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The fault of a request that got no answer. Nothing of the error's text leaves: it may name hosts. */
export function transportFault(error: unknown): FaultInit {
  const code = codeOf(error);
  if (UNREACHABLE.has(code)) {
    return {
      kind: 'unavailable',
      origin: 'upstream',
      executed: 'no',
      message: `The server cannot be reached (${code})`,
    };
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' || code === 'ETIMEDOUT') {
    return { kind: 'timeout', origin: 'gateway', message: 'The server did not answer in time' };
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { kind: 'upstream_failed', origin: 'upstream', message: 'The server did not speak HTTP' };
  }
  if (code.includes('CERT') || code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL')) {
    return {
      kind: 'misconfigured',
      origin: 'gateway',
      executed: 'no',
      message: `The server's certificate was not accepted (${code})`,
    };
  }
  return {
    kind: 'disconnected',
    origin: 'transport',
    message: 'The connection to the server broke before it answered',
  };
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
