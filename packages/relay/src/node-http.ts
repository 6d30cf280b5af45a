import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * `node:http`, required: an import makes a namespace of all that it exports, `WebSocket` among it, and for that Node
 * loads a whole HTTP client that nobody here uses. It is an eighth of the gateway's start.
 */
export const http: typeof import('node:http') = require('node:http');

/** `node:https`, loaded with the first that listens with a certificate: TLS is a tenth of the gateway's start. */
export const https = (): typeof import('node:https') => require('node:https');

/** `node:tls`, loaded with the first connection that is secure, for the same reason. */
export const tls = (): typeof import('node:tls') => require('node:tls');
