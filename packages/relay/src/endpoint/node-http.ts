import { createRequire } from 'node:module';

/**
 * `node:http`, required: an import makes a namespace of all that it exports, `WebSocket` among it, and for that Node
 * loads a whole HTTP client that nobody here uses. It is an eighth of the gateway's start.
 */
export const http: typeof import('node:http') = createRequire(import.meta.url)('node:http');
