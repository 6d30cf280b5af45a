/** System error names, as Node, undici and the C library spell them, and what they mean for a caller. */
import type { Kind } from './kinds.ts';

/** What a system error name means. */
export interface Errno {
  readonly kind: Kind;
  /** Only connecting raises it, so nothing was sent. */
  readonly unsent?: boolean;
}

// biome-ignore format: a table
const table: { readonly [name: string]: Errno } = {
  ECONNREFUSED: { kind: 'unavailable', unsent: true }, ENOTFOUND: { kind: 'unavailable', unsent: true }, EAI_AGAIN: { kind: 'unavailable', unsent: true },
  EAI_FAIL: { kind: 'unavailable', unsent: true }, EAI_NODATA: { kind: 'unavailable', unsent: true }, EHOSTUNREACH: { kind: 'unavailable' },
  EHOSTDOWN: { kind: 'unavailable' }, ENETUNREACH: { kind: 'unavailable' }, ENETDOWN: { kind: 'unavailable' },
  EADDRNOTAVAIL: { kind: 'unavailable', unsent: true }, ECONNRESET: { kind: 'disconnected' }, ECONNABORTED: { kind: 'disconnected' },
  EPIPE: { kind: 'disconnected' }, ENOTCONN: { kind: 'disconnected' }, ENETRESET: { kind: 'disconnected' },
  UND_ERR_SOCKET: { kind: 'disconnected' }, UND_ERR_CLOSED: { kind: 'disconnected', unsent: true },
  UND_ERR_DESTROYED: { kind: 'disconnected' }, ERR_STREAM_PREMATURE_CLOSE: { kind: 'disconnected' },
  ERR_STREAM_DESTROYED: { kind: 'disconnected' }, ERR_SOCKET_CLOSED: { kind: 'disconnected' }, ERR_NETWORK: { kind: 'disconnected' }, ERR_IPC_CHANNEL_CLOSED: { kind: 'disconnected' },
  ETIMEDOUT: { kind: 'timeout' }, ESOCKETTIMEDOUT: { kind: 'timeout' }, UND_ERR_CONNECT_TIMEOUT: { kind: 'timeout', unsent: true },
  UND_ERR_HEADERS_TIMEOUT: { kind: 'timeout' }, UND_ERR_BODY_TIMEOUT: { kind: 'timeout' }, ERR_SOCKET_CONNECTION_TIMEOUT: { kind: 'timeout', unsent: true },
  ABORT_ERR: { kind: 'cancelled' }, ECANCELED: { kind: 'cancelled' }, UND_ERR_ABORTED: { kind: 'cancelled' }, ERR_CANCELED: { kind: 'cancelled' },
  ENOENT: { kind: 'not_found' }, ENXIO: { kind: 'not_found' }, ESRCH: { kind: 'not_found' }, MODULE_NOT_FOUND: { kind: 'misconfigured' },
  ERR_MODULE_NOT_FOUND: { kind: 'misconfigured' }, EACCES: { kind: 'forbidden' }, EPERM: { kind: 'forbidden' }, EROFS: { kind: 'forbidden' },
  EEXIST: { kind: 'conflict' }, ENOTEMPTY: { kind: 'conflict' }, EBUSY: { kind: 'conflict' }, ETXTBSY: { kind: 'conflict' }, EXDEV: { kind: 'conflict' },
  EISDIR: { kind: 'invalid_arguments' }, ENOTDIR: { kind: 'invalid_arguments' }, EINVAL: { kind: 'invalid_arguments' },
  ENAMETOOLONG: { kind: 'invalid_arguments' }, ELOOP: { kind: 'invalid_arguments' }, ERR_INVALID_URL: { kind: 'invalid_arguments' },
  EFBIG: { kind: 'too_large' }, E2BIG: { kind: 'too_large' }, EMSGSIZE: { kind: 'too_large' }, ERR_STRING_TOO_LONG: { kind: 'too_large' },
  EMFILE: { kind: 'overloaded' }, ENFILE: { kind: 'overloaded' }, ENOMEM: { kind: 'overloaded' }, EAGAIN: { kind: 'overloaded' },
  ENOBUFS: { kind: 'overloaded' }, ENOSPC: { kind: 'misconfigured' }, EDQUOT: { kind: 'misconfigured' }, EIO: { kind: 'internal' }, ENOSYS: { kind: 'unsupported' }, ENOTSUP: { kind: 'unsupported' },
  EOPNOTSUPP: { kind: 'unsupported' }, EPROTO: { kind: 'upstream_failed' }, EADDRINUSE: { kind: 'misconfigured' },
  CERT_HAS_EXPIRED: { kind: 'misconfigured', unsent: true }, DEPTH_ZERO_SELF_SIGNED_CERT: { kind: 'misconfigured', unsent: true },
  SELF_SIGNED_CERT_IN_CHAIN: { kind: 'misconfigured', unsent: true }, UNABLE_TO_VERIFY_LEAF_SIGNATURE: { kind: 'misconfigured', unsent: true },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { kind: 'misconfigured', unsent: true }, ERR_TLS_CERT_ALTNAME_INVALID: { kind: 'misconfigured', unsent: true },
};

/** The meaning of a system error name. */
export function errnoOf(name: unknown): Errno | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** All system error names with a meaning. */
export const ERRNO_NAMES: readonly string[] = /* @__PURE__ */ Object.keys(table);
