/** What was found once and must not come back: one small file each. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plainShot, type Shot } from './shot.ts';

const FOLDER = fileURLToPath(new URL('./cases/', import.meta.url));

/** A message that broke something. */
export interface Case {
  readonly name: string;
  readonly kind: string;
  readonly detail: string;
  readonly path: string;
  readonly method: string;
  readonly headers: readonly string[];
  /** The body as text, or in base64 where it is no text. */
  readonly body?: string | undefined;
  readonly base64?: string | undefined;
}

/** All cases, by name. */
export function allCases(): readonly Case[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(FOLDER + file, 'utf8')) as Case);
}

/** Writes a case and returns the name of its file. */
export function keepCase(found: Case): string {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${found.name}.json`, `${JSON.stringify(found, null, 2)}\n`);
  return `${found.name}.json`;
}

/** The case as a message for a gateway on this host; keys and sessions are those of the run that replays it. */
export function shotOf(found: Case, host: string): Shot {
  const body =
    found.base64 === undefined ? Buffer.from(found.body ?? '') : Buffer.from(found.base64, 'base64');
  const head = [`${found.method} ${found.path} HTTP/1.1`, `Host: ${host}`, ...found.headers].join('\r\n');
  return plainShot(0, head, body);
}

/** Makes a case of a head and a body. */
export function toCase(kind: string, detail: string, head: string, body: Buffer): Case {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = 'POST', path = '/'] = first.split(' ');
  const headers = lines.filter((line) => !/^(host|content-length|transfer-encoding):/i.test(line));
  const text = body.toString('utf8');
  const content = Buffer.from(text).equals(body) ? { body: text } : { base64: body.toString('base64') };
  const name = `${kind}-${checksum(`${method} ${path} ${headers.join()} ${body.toString('latin1')}`)}`;
  return {
    name,
    kind,
    detail: detail.split('\n')[0]?.slice(0, 200) ?? '',
    path,
    method,
    headers,
    ...content,
  };
}

function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
