/** What a dialect of somebody's own gives to be sent: an answer to this very request, or nothing that may go out. */
import type { HttpWire, JsonRpcWire } from '@mayday/core/dialects';
import { isMembers, type Members } from '@mayday/relay';

/** The answer as plain data. Throws where it is none, or answers another request. */
export function soundWire(written: unknown, id: string | number | null | undefined): JsonRpcWire | HttpWire {
  const wire: unknown = JSON.parse(JSON.stringify(written));
  const wrong = isMembers(wire) ? wrongIn(wire, id ?? null) : '`wire` is no object';
  if (wrong !== undefined) throw new TypeError(`Expected \`write\` to give an answer, but ${wrong}`);
  return wire as unknown as JsonRpcWire | HttpWire;
}

function wrongIn(wire: Members, asked: string | number | null): string | undefined {
  if ('http' in wire) return isResponse(wire['http']) ? undefined : '`http` is no response';
  const { jsonrpc, id = null, error, result } = wire;
  if (jsonrpc !== '2.0') return '`jsonrpc` is not "2.0"';
  if (id !== asked) return '`id` is not that of the request';
  if ((error === undefined) === (result === undefined)) return 'it needs either `error` or `result`';
  if (error === undefined) return isMembers(result) ? undefined : '`result` is no object';
  const isError = isMembers(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
  return isError ? undefined : '`error` needs a whole number as `code` and text as `message`';
}

function isResponse(http: unknown): boolean {
  if (!isMembers(http) || http['body'] === undefined || !isMembers(http['headers'])) return false;
  const { status, headers } = http;
  new Headers(headers as Record<string, string>); // throws for what no header may be
  return Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
}
