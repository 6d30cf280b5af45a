/** Failures as they come over the wire, and whether they say that something was done. */
import { type Executed, type ReadOptions, read } from '../src/index.ts';
import { NOW } from './helpers.ts';

/** Whether it was executed, as that is read. */
export function executed(value: unknown, options: ReadOptions = {}): Executed | 'success' {
  const reading = read(value, { now: NOW, ...options });
  return reading.failure ? reading.fault.executed : 'success';
}

/** An error of JSON-RPC. */
export const rpc = (code: number, message: string, data?: unknown): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: data === undefined ? { code, message } : { code, message, data },
});
/** A result of a tool that failed. */
export const tool = (text: string, more: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  result: { isError: true, content: [{ type: 'text', text }], ...more },
});
/** An answer over HTTP. */
export const http = (status: number, body: unknown = '', headers: object = {}): object => ({
  http: { status, headers, body },
});
