/**
 * Words go to those who can act on them: how many of the texts that a caller can act on reach the model when a
 * guarded tool throws them, with `messages: 'none'` (before) and by default (after), and how many planted
 * secrets do. Fails below the promised share, or when one secret comes through.
 *
 * `npm run bench:server-words -- [corpus.jsonl] [--published DIR]`: texts of a labelled corpus in place of the
 * small sample beside this file; published servers, installed in DIR, run plain and with two lines added.
 */
import { readFileSync } from 'node:fs';
import { redact } from '@mayday/core/redact';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type GuardOptions, guard } from '../packages/server/src/index.ts';
import { compareServers } from './server-words-published.ts';

const PROMISED = 0.95;

interface Case {
  readonly kind: string;
  readonly text: string;
}

/** Kinds that a caller can do something about, as the corpus labels them. */
const FOR_CALLERS: ReadonlySet<string> = new Set([
  ...['invalid_arguments', 'invalid_request', 'unprocessable', 'too_large', 'unsupported_media', 'expired'],
  ...['unsupported', 'unauthenticated', 'forbidden', 'approval_required', 'input_required', 'not_found'],
  ...['conflict', 'not_ready', 'rate_limited', 'quota_exhausted'],
]);

const TAIL = 'Zq8vT3mK1xW7rB5nY2pL';
/** Secrets as drivers and clients put them into their sentences. */
const SECRETS: readonly string[] = [
  `postgres://svc:${TAIL}@10.0.0.5:5432/prod`,
  `Authorization: Bearer ${TAIL}`,
  `password=${TAIL}`,
  `sk_live_${TAIL}`,
  `ghp_${TAIL}AbCdEf1234567890`,
  `{"api_key":"${TAIL}"}`,
  `https://hooks.example.com/x?token=${TAIL}`,
];

function corpus(path: string): Case[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines
    .map(
      (line) =>
        JSON.parse(line) as { label: { kind?: string }; disguise?: string; readable: boolean; wire: never },
    )
    .filter(({ label, disguise, readable }) => label.kind !== undefined && disguise === undefined && readable)
    .map(({ label, wire }) => ({ kind: label.kind as string, text: textOf(wire) }))
    .filter(({ text }) => text !== '');
}

function textOf(wire: {
  readonly error?: { readonly message?: string };
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}): string {
  const blocks = wire.result?.content ?? [];
  return wire.error?.message ?? blocks.map(({ text }) => text ?? '').join('\n');
}

/** Whoever was told of a file or of an address had named it. */
function namedIn(text: string): readonly string[] {
  return text.match(/(?<![\w:/.])\/[\w./-]+|\bhttps?:\/\/[^\s"'`<>\\)]+/g) ?? [];
}

/** A guarded tool that throws what it is told, and the whole answer that its caller gets. */
async function thrower(options: GuardOptions): Promise<(text: string) => Promise<string>> {
  const server = guard(new McpServer({ name: 'words', version: '1' }), options);
  let next = '';
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
    throw new Error(next);
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  let answered: (text: string) => void = () => {};
  near.onmessage = (message) => answered(JSON.stringify(message));
  await near.start();
  let id = 0;
  return (text) =>
    new Promise((resolve) => {
      next = text;
      answered = resolve;
      const params = { name: 't', arguments: { named: namedIn(text) } };
      void near.send({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params });
    });
}

/** Usable: the words that happened, redacted, are there from their beginning; of a body in JSON, all that it says in words. */
function isUsable(answer: string, text: string): boolean {
  const own = namedIn(text);
  const isTold = (words: string): boolean => {
    const said = JSON.stringify(redact(words.trim(), { own }).value).slice(1, -1);
    return answer.includes(said.slice(0, 200).replace(/\\[^\\]?$/, ''));
  };
  const [before, said] = wordsOfBody(text) ?? [];
  return isTold(text) || (before !== undefined && isTold(before) && said?.every(isTold) === true);
}

/** What stands before a body in JSON, and the sentences in it; `undefined` where there is none. */
function wordsOfBody(text: string): readonly [before: string, said: readonly string[]] | undefined {
  const at = text.search(/[{[]/);
  if (at < 0) return undefined;
  try {
    const said = sentencesIn(JSON.parse(text.slice(at).replace(/\)$/, '')));
    return said.length === 0 ? undefined : [text.slice(0, at), said];
  } catch {
    return undefined; // no JSON
  }
}

/** The longest of the sentences at each level: shorter ones are codes, and what a status is called. */
function sentencesIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  if (Array.isArray(body)) return body.flatMap(sentencesIn);
  const { message, error, detail } = body as { readonly [name: string]: unknown };
  const texts = [message, error, detail].filter((one) => typeof one === 'string');
  const inner = [...texts.flatMap((one) => wordsOfBody(one)?.[1] ?? []), ...sentencesIn(error)];
  if (inner.length > 0) return inner;
  return texts.sort((a, b) => b.length - a.length).slice(0, 1);
}

async function share(cases: readonly Case[], options: GuardOptions): Promise<number> {
  const call = await thrower(options);
  let usable = 0;
  for (const { text } of cases) if (isUsable(await call(text), text)) usable++;
  return cases.length === 0 ? 1 : usable / cases.length;
}

async function planted(cases: readonly Case[]): Promise<[tried: number, through: number]> {
  const call = await thrower({});
  let through = 0;
  for (const { text } of cases)
    for (const secret of SECRETS)
      for (const leaky of [`${text} (${secret})`, `${secret}: ${text}`, `${text}\n${secret}`])
        if ((await call(leaky)).includes(TAIL)) through++;
  return [cases.length * SECRETS.length * 3, through];
}

const args = process.argv.slice(2);
const at = args.indexOf('--published');
const published = at < 0 ? undefined : args.splice(at, 2)[1];
const path = args[0] ?? process.env['CORPUS'];
const all = path === undefined ? sample() : corpus(path);
function sample(): Case[] {
  return JSON.parse(readFileSync(new URL('server-words-sample.json', import.meta.url), 'utf8')) as Case[];
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const ours = all.filter(({ kind }) => FOR_CALLERS.has(kind));
const others = all.filter(({ kind }) => !FOR_CALLERS.has(kind));
const [before, after] = [await share(ours, { messages: 'none' }), await share(ours, {})];
const [tried, through] = await planted(ours.slice(0, 150));
console.log(
  `${ours.length} texts for callers: ${percent(before)} usable before, ${percent(after)} after (promised ${percent(PROMISED)})`,
);
if (others.length > 0)
  console.log(`${others.length} texts for operators: ${percent(await share(others, {}))} reach the model`);
console.log(`${tried} texts with a planted secret: ${through} came through (promised 0)`);
let failed = after < PROMISED || through > 0;
if (published !== undefined) failed = !(await compareServers(published, PROMISED)) || failed;
process.exitCode = failed ? 1 : 0;
process.exit();
