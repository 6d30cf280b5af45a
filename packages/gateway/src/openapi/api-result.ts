/** An answer of the API that is no failure, as the result of a tool. */
import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '@mayday/core';
import { HTTP_KEY } from '@mayday/core/protocol';
import type { HttpHeaders } from '@mayday/relay';
import { readExact } from './exact-json.ts';
import { headersBeside, headerText, type QueryNames } from './told-headers.ts';

/** An answer that came; of its headers, what may be told. */
export interface Answered {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: Buffer;
  readonly method: string;
  readonly query: QueryNames;
  readonly takesVersions: boolean;
}

/** The result, or `undefined` when it would be larger than allowed. */
export function toResult(answered: Answered, maxBytes: number): JsonObject | undefined {
  const content = contentOf(answered);
  const size = content.content.reduce((sum, { data = '', resource }) => {
    return sum + data.length + (resource?.blob.length ?? 0);
  }, 0);
  if (size > maxBytes) return undefined;
  const { lines, meta } = headersBeside({ ...answered, isBodiless: isBodiless(answered) });
  if (lines.length === 0 && meta === undefined) return content as unknown as JsonObject;
  const beside = lines.length === 0 ? [] : [{ type: 'text', text: lines.join('\n') }];
  return {
    ...content,
    content: [...content.content, ...beside],
    ...(meta === undefined ? {} : { _meta: { [HTTP_KEY]: meta } }),
  } as unknown as JsonObject;
}

interface Content {
  readonly content: readonly Block[];
  readonly structuredContent?: JsonObject | undefined;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly resource?: { readonly uri: string; readonly mimeType: string; readonly blob: string };
}

const TEXT =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|csv|x-ndjson|ndjson|json-seq|jsonlines|graphql|sql|toml|x-www-form-urlencoded)$/;

function isBodiless({ body, method }: Answered): boolean {
  return body.length === 0 || method === 'HEAD';
}

function contentOf(answered: Answered): Content {
  const { status, body, headers, method } = answered;
  const type = mediaType(headers);
  if (isBodiless(answered))
    return { content: [{ type: 'text', text: withoutBody(status, headers, method) }] };
  const isText = type === '' ? isUtf8(body) : TEXT.test(type);
  if (!isText) return { content: [binary(body, type || 'application/octet-stream', headers)] };
  const text = textOf(body, headers);
  const content = [{ type: 'text', text }];
  // Text in another encoding has been decoded already.
  const parsed = /json$/.test(type) ? readExact(text) : undefined;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? { content, structuredContent: parsed as JsonObject } : { content };
}

function binary(body: Buffer, type: string, headers: HttpHeaders): Block {
  const media = /^(image|audio)\//.exec(type)?.[1];
  if (media !== undefined) return { type: media, data: body.toString('base64'), mimeType: type };
  const uri = `attachment:${encodeURIComponent(filenameOf(headers) ?? 'answer')}`;
  return { type: 'resource', resource: { uri, mimeType: type, blob: body.toString('base64') } };
}

const MAX_FILENAME = 200;

/** What the API calls the file (RFC 6266). */
function filenameOf(headers: HttpHeaders): string | undefined {
  const said = headerText(headers, 'content-disposition');
  const coded = /filename\*=(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(said)?.[1];
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(said)?.[1] ?? /filename=([^;\s"]+)/i.exec(said)?.[1];
  const name = decoded(coded) ?? plain;
  return name?.split(/[/\\]/).at(-1)?.toWellFormed().slice(0, MAX_FILENAME).toWellFormed();
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined; // the plain name is left
  }
}

/** A body as text, in the encoding that its type names. */
export function textOf(body: Buffer, headers: HttpHeaders): string {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(headerText(headers, 'content-type'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8'); // an encoding that nobody knows
  }
}

/** The media type of a body, without what stands behind it. */
export function mediaType(headers: HttpHeaders): string {
  return headerText(headers, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
}

const ACCEPTED = 202;
const NOT_MODIFIED = 304;
const MAX_HEADER = 500;

/** What an answer without a body says: what was made, where it is, when to ask again. */
function withoutBody(status: number, headers: HttpHeaders, method: string): string {
  const done =
    status === ACCEPTED
      ? 'Accepted, not done yet'
      : status === NOT_MODIFIED
        ? 'Not modified'
        : method === 'HEAD'
          ? 'It is there'
          : 'Done';
  const told = method === 'HEAD' ? [...BODILESS, ...OF_HEAD] : BODILESS;
  const said = told.flatMap((name) => {
    const value = headerText(headers, name.toLowerCase());
    return value === '' ? [] : [`${name}: ${value.slice(0, MAX_HEADER)}`];
  });
  return [`${done} (HTTP ${status})`, ...said].join('\n');
}

const BODILESS = ['Location', 'ETag', 'Retry-After'] as const;
const OF_HEAD = ['Content-Type', 'Content-Length', 'Last-Modified'] as const;
