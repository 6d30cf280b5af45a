/** Whose form a JSON body has. It names the evidence; what the body says is read the same way. */
type Bag = { readonly [key: string]: unknown };

function bag(value: unknown): Bag | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : undefined;
}

function has(value: Bag, ...keys: string[]): boolean {
  return keys.every((key) => key in value);
}

const GRPC = /^[A-Z][A-Z_]{4,24}$/;

/** The name of the form: `google`, `aws`, `stripe`, `zod`, … or `json` when it is nobody's. */
export function vendorOf(body: unknown): string {
  if (Array.isArray(body)) return ofList(body);
  const top = bag(body);
  if (top === undefined) return 'json';
  if (has(top, '__type')) return 'aws';
  if (top['ok'] === false) return has(top, 'error_code') ? 'telegram' : 'slack';
  if (top['object'] === 'error') return 'notion';
  if (has(top, 'errorMessages')) return 'atlassian';
  if (has(top, 'documentation_url')) return 'github';
  if (has(top, 'jsonrpc')) return 'json-rpc';
  if (has(top, 'type', 'title', 'status') || has(top, 'title', 'status', 'traceId')) return 'problem';
  if (has(top, 'timestamp', 'status', 'error', 'path')) return 'spring';
  if (has(top, 'detail')) return Array.isArray(top['detail']) ? ofList(top['detail']) : 'fastapi';
  const error = bag(top['error']);
  if (error !== undefined) return ofError(top, error);
  if (Array.isArray(top['errors'])) return ofErrors(top['errors']);
  if (bag(top['errors']) !== undefined) return has(top, 'message') ? 'laravel' : 'rails';
  if (Array.isArray(top['issues'])) return ofList(top['issues']);
  if (has(top, 'error', 'error_description')) return 'oauth';
  if (typeof top['code'] === 'number' && top['code'] >= 10_000 && top['code'] < 220_000) return 'discord';
  if (has(top, 'Code', 'Message') || has(top, 'Error', 'RequestId')) return 'aws';
  if (has(top, 'error', 'message', 'statusCode')) return 'nest';
  if (has(top, 'exception')) return 'java';
  return 'json';
}

function ofError(top: Bag, error: Bag): string {
  if (has(error, 'root_cause')) return 'elasticsearch';
  if (typeof error['status'] === 'string' && GRPC.test(error['status'])) return 'google';
  if (Array.isArray(error['errors']) && typeof error['code'] === 'number') return 'google';
  if (has(error, 'innererror') || has(error, 'innerError') || has(error, 'target')) return 'odata';
  if (has(error, 'fbtrace_id')) return 'meta';
  if (top['type'] === 'error') return 'anthropic';
  if (typeof error['type'] === 'string' && error['type'].endsWith('_error'))
    return has(error, 'param') ? 'stripe' : 'openai';
  if (has(top, 'jsonrpc')) return 'json-rpc';
  return typeof error['code'] === 'string' && /^[A-Z][a-zA-Z]+$/.test(error['code']) ? 'azure' : 'json';
}

function ofErrors(errors: readonly unknown[]): string {
  const first = bag(errors[0]);
  if (first === undefined) return 'json';
  if (has(first, 'locations') || has(first, 'extensions')) return 'graphql';
  if (has(first, 'source') || has(first, 'title', 'detail')) return 'json-api';
  return ofList(errors);
}

function ofList(list: readonly unknown[]): string {
  const first = bag(list[0]);
  if (first === undefined) return 'json';
  if (has(first, 'instancePath') || has(first, 'keyword', 'schemaPath')) return 'ajv';
  if (has(first, 'loc', 'msg')) return 'pydantic';
  if (has(first, 'code', 'path', 'message') && Array.isArray(first['path'])) return 'zod';
  return 'json';
}
