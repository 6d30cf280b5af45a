/** Bodies of forms: fields as in a query, or the parts of `multipart/form-data` (RFC 7578). */
import { randomUUID } from 'node:crypto';
import type { Issue } from '@mayday/core';
import { inBrackets, issue, toQueryText, toText } from './arguments.ts';
import type { FieldStyle, OperationBody } from './bodies.ts';
import { writeExact } from './exact-json.ts';
import { toFile } from './files.ts';

type Members = { readonly [name: string]: unknown };
type Fields = NonNullable<OperationBody['fields']>;

/** A form that was written, as far as nothing is wrong with it. */
export interface WrittenForm {
  readonly type: string;
  readonly bytes: Buffer;
  readonly issues: readonly Issue[];
}

/** The names and values of one member. */
type Pairs = readonly (readonly [string, unknown])[];

/** Writes `a=1&b=2`. */
export function writeFields(value: Members, fields: Fields, argument: string): WrittenForm {
  const form: string[] = [];
  const issues: Issue[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue; // a form has no such value, and `null` would be a text
    const style = styleOf(fields, name);
    for (const [field, item] of pairsOf(name, member, style)) {
      // What stands between values is no part of any.
      const texts = (Array.isArray(item) ? item : [item]).map((one: unknown) => toQueryText(one));
      const wrong = texts.find((text) => typeof text !== 'string');
      if (wrong !== undefined) issues.push(issue([argument, name], wrong.refused));
      else form.push(`${inForm(field)}=${texts.map((text) => inForm(String(text))).join(between(style))}`);
    }
  }
  return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(form.join('&')), issues };
}

function inForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

function between({ separator = ',' }: FieldStyle): string {
  return separator === ',' ? separator : encodeURIComponent(separator);
}

/** Writes the parts of a form: files, texts, and JSON for what has members itself. */
export function writeParts(value: Members, fields: Fields, argument: string): WrittenForm {
  const boundary = `mayday-${randomUUID()}`;
  const issues: Issue[] = [];
  const pieces: Buffer[] = [];
  const add = (head: string, bytes: Buffer): void => {
    pieces.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), bytes, Buffer.from('\r\n'));
  };
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const style = styleOf(fields, name);
    const isList = Array.isArray(member);
    for (const [i, item] of (isList ? (member as unknown[]) : [member]).entries()) {
      if (style.isFile !== true) continue;
      const file = toFile(item, isList ? [argument, name, i] : [argument, name]);
      if ('message' in file) issues.push(file);
      else
        add(
          `${disposition(name, file.filename ?? name)}\r\nContent-Type: ${file.type ?? style.type ?? 'application/octet-stream'}`,
          file.bytes,
        );
    }
    if (style.isFile === true) continue;
    for (const [field, item] of partsOf(name, member, style)) {
      const isJson = /json/.test(style.type ?? '') || (typeof item === 'object' && item !== null);
      const text = isJson ? writeExact(item) : toText(item);
      const type = style.type ?? (isJson ? 'application/json' : undefined);
      if (!text.isWellFormed())
        issues.push(issue([argument, name], 'Expected text; this holds half a character'));
      else
        add(
          `${disposition(field)}${type === undefined ? '' : `\r\nContent-Type: ${type}`}`,
          Buffer.from(text),
        );
    }
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(pieces), issues };
}

function styleOf(fields: Fields, name: string): FieldStyle {
  return Object.hasOwn(fields, name) ? (fields[name] ?? {}) : {};
}

/** A list of plain values is its name again and again, if not asked otherwise. */
function pairsOf(name: string, value: unknown, style: FieldStyle): Pairs {
  if (/json/.test(style.type ?? '')) return [[name, writeExact(value)]];
  const isPlain = Array.isArray(value) && !value.some((item) => typeof item === 'object' && item !== null);
  if (!isPlain || style.inBrackets === true) return inBrackets(name, value);
  if (style.separator !== undefined) return [[name, value]];
  return value.map((item: unknown) => [name, item] as const);
}

function partsOf(name: string, value: unknown, style: FieldStyle): Pairs {
  if (style.inBrackets === true) return inBrackets(name, value);
  if (!Array.isArray(value) || /json/.test(style.type ?? '')) return [[name, value]];
  if (style.separator !== undefined) return [[name, toText(value, style.separator)]];
  return value.map((item: unknown) => [name, item] as const);
}

function disposition(name: string, filename?: string): string {
  const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
}

/** As browsers do: nothing in a name ends it, or the line that it is on. */
function quoted(name: string): string {
  return name
    .toWellFormed()
    .replace(/["\r\n]/g, encodeURIComponent)
    .replace(/\p{Cc}/gu, '_');
}
