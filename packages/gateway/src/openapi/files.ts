/** Files in arguments → bytes. Nothing is ever read from this machine: a file is what the caller says it holds. */
import type { Issue } from '@mayday/core';
import { issue } from './arguments.ts';
import { NO_FILE } from './issues.ts';

/** A file that can be sent. */
export interface FileBytes {
  readonly bytes: Buffer;
  readonly filename: string | undefined;
  readonly type: string | undefined;
}

/** The file that an argument describes, or what is wrong with it. */
export function toFile(value: unknown, path: readonly (string | number)[]): FileBytes | Issue {
  const { text, base64, filename, type } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly [name: string]: unknown;
  };
  if ((typeof text === 'string') === (typeof base64 === 'string')) return issue(path, NO_FILE);
  if (typeof base64 === 'string' && !/^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(base64))
    return issue([...path, 'base64'], 'Expected base64; give what is text as text');
  if (type !== undefined && (typeof type !== 'string' || !MEDIA_TYPE.test(type)))
    return issue([...path, 'type'], 'Expected a media type, such as image/png');
  return {
    bytes: typeof text === 'string' ? Buffer.from(text) : Buffer.from(String(base64), 'base64'),
    filename: typeof filename === 'string' && filename !== '' ? filename : undefined,
    type,
  };
}

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?charset=[\w-]{1,40})?$/;
