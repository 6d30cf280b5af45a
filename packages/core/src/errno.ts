/** System error names, as Node, undici and the C library spell them, and what they mean for a caller. */
import type { Executed, Kind } from './kinds.ts';

/** What a system error name means. */
export interface Errno {
  readonly kind: Kind;
  /** Where the name itself proves more than its kind does. */
  readonly executed?: Executed;
}

const never: Executed = 'no';

// biome-ignore format: a table
const table: { readonly [name: string]: Errno } = {
  ECONNREFUSED: { kind: 'unavailable' }, ENOTFOUND: { kind: 'unavailable' }, EAI_AGAIN: { kind: 'unavailable' },
  EAI_FAIL: { kind: 'unavailable' }, EAI_NODATA: { kind: 'unavailable' }, EHOSTUNREACH: { kind: 'unavailable' },
  EHOSTDOWN: { kind: 'unavailable' }, ENETUNREACH: { kind: 'unavailable' }, ENETDOWN: { kind: 'unavailable' },
  EADDRNOTAVAIL: { kind: 'unavailable' }, ECONNRESET: { kind: 'disconnected' }, ECONNABORTED: { kind: 'disconnected' },
  EPIPE: { kind: 'disconnected' }, ENOTCONN: { kind: 'disconnected', executed: never }, ENETRESET: { kind: 'disconnected' },
  UND_ERR_SOCKET: { kind: 'disconnected' }, UND_ERR_CLOSED: { kind: 'disconnected', executed: never },
  UND_ERR_DESTROYED: { kind: 'disconnected' }, ERR_STREAM_PREMATURE_CLOSE: { kind: 'disconnected' },
  ERR_STREAM_DESTROYED: { kind: 'disconnected' }, ERR_SOCKET_CLOSED: { kind: 'disconnected' }, ERR_IPC_CHANNEL_CLOSED: { kind: 'disconnected' },
  ETIMEDOUT: { kind: 'timeout' }, ESOCKETTIMEDOUT: { kind: 'timeout' }, UND_ERR_CONNECT_TIMEOUT: { kind: 'timeout', executed: never },
  UND_ERR_HEADERS_TIMEOUT: { kind: 'timeout' }, UND_ERR_BODY_TIMEOUT: { kind: 'timeout' }, ERR_SOCKET_CONNECTION_TIMEOUT: { kind: 'timeout', executed: never },
  ABORT_ERR: { kind: 'cancelled' }, ECANCELED: { kind: 'cancelled' }, UND_ERR_ABORTED: { kind: 'cancelled' }, ERR_CANCELED: { kind: 'cancelled' },
  ENOENT: { kind: 'not_found' }, ENXIO: { kind: 'not_found' }, ESRCH: { kind: 'not_found' }, MODULE_NOT_FOUND: { kind: 'misconfigured' },
  ERR_MODULE_NOT_FOUND: { kind: 'misconfigured' }, EACCES: { kind: 'forbidden' }, EPERM: { kind: 'forbidden' }, EROFS: { kind: 'forbidden' },
  EEXIST: { kind: 'conflict' }, ENOTEMPTY: { kind: 'conflict' }, EBUSY: { kind: 'conflict' }, ETXTBSY: { kind: 'conflict' }, EXDEV: { kind: 'conflict' },
  EISDIR: { kind: 'invalid_arguments' }, ENOTDIR: { kind: 'invalid_arguments' }, EINVAL: { kind: 'invalid_arguments' },
  ENAMETOOLONG: { kind: 'invalid_arguments' }, ELOOP: { kind: 'invalid_arguments' }, ERR_INVALID_URL: { kind: 'invalid_arguments' },
  EFBIG: { kind: 'too_large' }, E2BIG: { kind: 'too_large' }, EMSGSIZE: { kind: 'too_large' }, ERR_STRING_TOO_LONG: { kind: 'too_large' },
  EMFILE: { kind: 'overloaded' }, ENFILE: { kind: 'overloaded' }, ENOMEM: { kind: 'overloaded' }, EAGAIN: { kind: 'overloaded' },
  ENOBUFS: { kind: 'overloaded' }, ENOSPC: { kind: 'internal' }, EIO: { kind: 'internal' }, ENOSYS: { kind: 'unsupported' }, ENOTSUP: { kind: 'unsupported' },
  EOPNOTSUPP: { kind: 'unsupported' }, EPROTO: { kind: 'upstream_failed' }, EADDRINUSE: { kind: 'misconfigured' },
  CERT_HAS_EXPIRED: { kind: 'misconfigured' }, DEPTH_ZERO_SELF_SIGNED_CERT: { kind: 'misconfigured' },
  SELF_SIGNED_CERT_IN_CHAIN: { kind: 'misconfigured' }, UNABLE_TO_VERIFY_LEAF_SIGNATURE: { kind: 'misconfigured' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { kind: 'misconfigured' }, ERR_TLS_CERT_ALTNAME_INVALID: { kind: 'misconfigured' },
};

/** The meaning of a system error name. */
export function errnoOf(name: unknown): Errno | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** All system error names with a meaning. */
export const ERRNO_NAMES: readonly string[] = /* @__PURE__ */ Object.keys(table);
