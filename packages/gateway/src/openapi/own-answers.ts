/** What a link to an API answers in the place of a server: an API knows nothing of openings and lists. */
import type { JsonObject } from '@mayday/core';
import { SERVER_INFO_KEY } from '@mayday/core/protocol';
import { decode, type Outgoing, paramsOf } from '@mayday/relay';
import { strangeCursor } from '../call/given-cursors.ts';
import { foreignMethod, unknownMethod } from '../call/own-methods.ts';
import type { Api } from './api.ts';
import type { Ends } from './ends.ts';
import { writeExact } from './exact-json.ts';

const CAPABILITIES = { tools: {} } as const;
/** In a session its client is told when the tools are others. */
const SESSION_CAPABILITIES = { tools: { listChanged: true } } as const;
const CACHE_HINTS = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** What the API itself is not asked. */
export function answerItself(
  api: Api,
  { peek, body, revision }: Outgoing,
  { answered, lost }: Pick<Ends, 'answered' | 'lost'>,
): void {
  const serverInfo = { name: api.title, version: api.version };
  const foreign = foreignMethod(peek.method, revision);
  if (foreign !== undefined) lost(foreign);
  else if (peek.method === 'initialize') {
    const asked = paramsOf(decode(body))?.['protocolVersion'];
    const protocolVersion = typeof asked === 'string' && asked < '2026' ? asked : '2025-11-25';
    answered({ protocolVersion, capabilities: SESSION_CAPABILITIES, serverInfo });
  } else if (peek.method === 'server/discover') {
    answered({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: CAPABILITIES,
      ...CACHE_HINTS,
      _meta: { [SERVER_INFO_KEY]: serverInfo },
    });
  } else if (peek.method === 'ping') answered(complete({}, revision));
  else if (peek.method === 'tools/list') {
    const strange = strangeCursor(peek.method, paramsOf(decode(body)));
    if (strange !== undefined) {
      lost(strange);
      return;
    }
    const hints = complete(revision === '2026-07-28' ? CACHE_HINTS : {}, revision);
    const beside = JSON.stringify(hints).slice(1, -1);
    const before = `{${beside}${beside === '' ? '' : ','}"tools":`;
    answered(Buffer.concat([Buffer.from(before), api.listed, Buffer.from('}')]), api.hints);
  } else lost(unknownMethod(peek.method));
}

function complete(result: JsonObject, revision: Outgoing['revision']): JsonObject {
  return revision === '2026-07-28' ? { resultType: 'complete', ...result } : result;
}

/** The answer around a result. The id goes back as the bytes that came, whatever it is. */
export function toAnswer({ body, peek, revision }: Outgoing, result: JsonObject | Buffer): Buffer {
  const bytes = body.subarray(Math.max(0, peek.idStart), Math.max(0, peek.idEnd));
  const id = decode(bytes) === undefined ? Buffer.from('null') : bytes;
  const said = Buffer.isBuffer(result) ? result : Buffer.from(toJson(complete(result, revision)));
  const [before, between, after] = ['{"jsonrpc":"2.0","id":', ',"result":', '}'].map((text) =>
    Buffer.from(text),
  );
  return Buffer.concat([before, id, between, said, after].filter((piece) => piece !== undefined));
}

/** What is nested too deeply to be written stays in the text alone. */
function toJson(result: JsonObject): string {
  try {
    return writeExact(result);
  } catch {
    const { structuredContent: _left, ...rest } = result;
    return JSON.stringify(rest);
  }
}
