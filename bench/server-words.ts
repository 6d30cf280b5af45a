/**
 * Words go to those who can act on them: how many of the texts that a caller can act on reach the model when a
 * guarded tool throws them, by default, with `messages: 'none'` and without a guard, and how many planted
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
const SAMPLE = 'server-words-sample.json';

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
const NAMED = /(?<![\w:/.])\/[\w./-]+|\bhttps?:\/\/[^\s"'`<>\\)]+/g;

/** Whoever was told of a value that was received, or of a piece of a query, had sent it. */
const SENT: readonly RegExp[] = [
  /\breceived \\?['"]([^'"\\]+)/g,
  /\b(?:relation|near) \\?"([^"\\]+)/g,
  /\bno such table: (\w+)/g,
  /\bpermission denied for table (\w+)/g,
];

/** So had whoever was told of a field that nobody knows. */
const UNKNOWN_FIELD = /\bUnrecognized key: "([^"]+)"/g;

/** What the caller must have sent to be told this. */
function sentFor(text: string): readonly string[] {
  return [...(text.match(NAMED) ?? []), ...SENT.flatMap((form) => groupsOf(text, form))];
}

function argumentsFor(text: string): object {
  const fields = groupsOf(text, UNKNOWN_FIELD).map((name) => [name, true]);
  return { ...Object.fromEntries(fields), sent: sentFor(text) };
}

function groupsOf(text: string, form: RegExp): readonly string[] {
  return [...text.matchAll(form)].map(([, group = '']) => group);
}

/** A tool that throws what it is told, guarded if there are options for it, and the whole answer that its caller gets. */
async function thrower(options: GuardOptions | undefined): Promise<(text: string) => Promise<string>> {
  const plain = new McpServer({ name: 'words', version: '1' });
  const server = options === undefined ? plain : guard(plain, options);
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
      const params = { name: 't', arguments: argumentsFor(text) };
      void near.send({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params });
    });
}

/** Usable: the words that happened, redacted, are there from their beginning; of a body in JSON, all that it says in words. */
function isUsable(answer: string, text: string): boolean {
  const own = sentFor(text);
  const isSaid = (words: unknown): boolean => {
    const said = JSON.stringify(words).slice(1, -1);
    return answer.includes(said.slice(0, 200).replace(/\\[^\\]?$/, ''));
  };
  // Without a guard nothing is redacted.
  const isTold = (words: string): boolean =>
    isSaid(redact(words.trim(), { own }).value) || isSaid(words.trim());
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

async function share(cases: readonly Case[], options?: GuardOptions): Promise<number> {
  const call = await thrower(options);
  let usable = 0;
  for (const { text } of cases) if (isUsable(await call(text), text)) usable++;
  return cases.length === 0 ? 1 : usable / cases.length;
}

async function planted(cases: readonly Case[], options?: GuardOptions): Promise<number> {
  const call = await thrower(options);
  let through = 0;
  for (const { text } of cases)
    for (const secret of SECRETS)
      for (const leaky of [`${text} (${secret})`, `${secret}: ${text}`, `${text}\n${secret}`])
        if ((await call(leaky)).includes(TAIL)) through++;
  return through;
}

const args = process.argv.slice(2);
const at = args.indexOf('--published');
const published = at < 0 ? undefined : args.splice(at, 2)[1];
const path = args[0] ?? process.env['CORPUS'];
const all = path === undefined ? sample() : corpus(path);
function sample(): Case[] {
  return JSON.parse(readFileSync(new URL(SAMPLE, import.meta.url), 'utf8')) as Case[];
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const ours = all.filter(({ kind }) => FOR_CALLERS.has(kind));
const others = all.filter(({ kind }) => !FOR_CALLERS.has(kind));
const after = await share(ours, {});
const [kept, plain] = [await share(ours, { messages: 'none' }), await share(ours)];
const some = ours.slice(0, 150);
const [through, leaked] = [await planted(some, {}), await planted(some)];
console.log(`texts of ${path ?? `bench/${SAMPLE}, which comes with the repository`}`);
console.log(
  `${ours.length} for callers: ${percent(after)} usable (promised ${percent(PROMISED)}); ${percent(kept)} with messages: 'none', ${percent(plain)} without a guard`,
);
if (others.length > 0)
  console.log(
    `${others.length} for operators: ${percent(await share(others, {}))} reach the model; ${percent(await share(others))} without a guard`,
  );
console.log(
  `${some.length * SECRETS.length * 3} with a planted secret: ${through} came through (promised 0); ${leaked} without a guard`,
);
let failed = after < PROMISED || through > 0;
if (published !== undefined) failed = !(await compareServers(published, PROMISED)) || failed;
process.exitCode = failed ? 1 : 0;
process.exit();
