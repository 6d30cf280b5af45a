/** Upstreams of each kind, as a configuration names them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from '../../../../test/compile-cache.ts';
import type { PuppetOptions, Step } from './puppet.ts';

const STDIO = fileURLToPath(new URL('./stdio-puppet.ts', import.meta.url));

/** A process that is a puppet. */
export function stdio(options: PuppetOptions = {}, settings: object = {}): object {
  const env = { PUPPET: JSON.stringify(options), ...COMPILE_CACHE };
  return { command: process.execPath, args: [STDIO], env, ...settings };
}

/** An operation of an OpenAPI document whose query parameter `script` says what the API answers. */
export function operation(
  operationId: string,
  parameters: readonly object[] = [],
  more: object = {},
): object {
  const script = { name: 'script', in: 'query', schema: { type: 'string' } };
  return {
    operationId,
    parameters: [script, ...parameters],
    responses: { 200: { description: 'ok' } },
    ...more,
  };
}

/** A JSON body that may be anything. */
export const ANY_BODY: object = {
  requestBody: {
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  },
};

/** Writes an OpenAPI document and returns its path. */
export function openapiFile(folder: string, paths: object, name = 'api.json'): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'api', version: '1' }, paths }));
  return file;
}

/** A small API: one operation that reads, one that writes. */
export const API_PATHS: object = {
  '/echo': { get: operation('echo', [{ name: 'text', in: 'query', schema: { type: 'string' } }]) },
  '/pay': { post: operation('pay', [], ANY_BODY) },
};

/** A failing tool result with one text. */
export function failing(text: string, more: object = {}): Step {
  return { answer: { result: { isError: true, content: [{ type: 'text', text }], ...more } } };
}
