/**
 * Proposes labels for gathered answers: `npm run read:label -- RAW.jsonl OUT.jsonl`.
 *
 * What was done to a server says what its answer should mean: a valid call while the upstream answered 429 is
 * `rate_limited`. Whether its words say so is for a person to judge, before anybody looks at what `read` makes of it: the
 * proposal is only whether any of the words of such a failure occur. No rule of `read` is used here, or the label would
 * be the reading. Repetitions and long texts are left out.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Kind } from '@mayday/core';
import { type Label, textOf, type Wire } from '../corpus.ts';

interface Raw {
  readonly server: string;
  readonly sdk: string;
  /** `valid@429#search`: what was done, the state of the upstream, the tool. */
  readonly case: string;
  readonly wire: Wire & { readonly result?: { readonly isError?: boolean } };
}

type Meaning = readonly [
  kind: Kind,
  also: readonly Kind[],
  retryable: boolean,
  words: RegExp,
  subject?: string,
];

const BAD_INPUT: Meaning = [
  'invalid_arguments',
  ['unprocessable', 'invalid_request'],
  false,
  /invalid|required|missing|expected|must|provide|valid|schema|not allowed|argument|param|400|422|bad request|unprocessable|understood/i,
];
const AWAY: Meaning = [
  'unavailable',
  ['disconnected'],
  true,
  /fetch failed|ECONN|EAI_AGAIN|ENOTFOUND|network|connect|socket|hang up|unreachable|reset|resolve|offline|refused|getaddrinfo/i,
];
const BROKEN: Meaning = [
  'upstream_failed',
  ['unavailable', 'overloaded'],
  true,
  /\b50[0-9]\b|internal|server error|gateway|unavailable|maintenance|broke|upstream/i,
];
const GARBLED: Meaning = [
  'upstream_failed',
  ['unavailable', 'overloaded'],
  false,
  /json|token|parse|unexpected|html|doctype|malformed|unterminated/i,
];

const MEANINGS: { readonly [doing: string]: Meaning } = {
  unknown_tool: [
    'not_found',
    [],
    false,
    /unknown|not found|no such|not exist|invalid|unrecogni[sz]ed/i,
    'tool',
  ],
  resources_read_bogus: [
    'not_found',
    [],
    false,
    /unknown|not found|no such|not exist|invalid|unsupported/i,
    'resource',
  ],
  prompts_get_bogus: ['not_found', [], false, /unknown|not found|no such|not exist|invalid/i, 'prompt'],
  no_args: BAD_INPUT,
  wrong_types: BAD_INPUT,
  bad_enum: BAD_INPUT,
  'valid@400': BAD_INPUT,
  'valid@401': [
    'unauthenticated',
    [],
    false,
    /401|unauthor|authenticat|credential|api[ _-]?key|token|log ?in/i,
  ],
  'valid@402': ['quota_exhausted', [], false, /402|payment|credit|quota|plan|billing/i],
  'valid@403': ['forbidden', [], false, /403|forbidden|permission|denied|access|scope/i],
  'valid@404': ['not_found', [], false, /404|not[ _]found|no such|exist|no .* found/i],
  'valid@409': ['conflict', [], false, /409|conflict|changed by|already/i],
  'valid@422': BAD_INPUT,
  'valid@429': ['rate_limited', [], true, /429|rate|too many|limit|throttl|quota|slow down/i],
  'valid@500': BROKEN,
  'valid@502': BROKEN,
  'valid@503': BROKEN,
  'valid@504': ['timeout', ['upstream_failed', 'unavailable'], true, /504|time|too long/i],
  'valid@html200': GARBLED,
  'valid@badjson': GARBLED,
  'valid@reset': AWAY,
  'valid@refused': AWAY,
  'valid@offline': AWAY,
};

const KEYS: Meaning = [
  'misconfigured',
  ['unauthenticated'],
  false,
  /_(?:KEY|TOKEN|SECRET|URL|HOST|ID|EMAIL|PASSWORD)\b|environment|api[ _-]?key|credential|configur|not set|token/i,
];
const PROGRAM: Meaning = ['misconfigured', ['unsupported'], false, /ENOENT/];
/** A body that was no JSON, whatever the status: the words are about the body. */
const MISLEADS = /is not valid JSON|end of JSON|in JSON at position/;
const LONGEST = 1200;
const ERRORS =
  /error|unknown |fail|invalid|unable|could ?n[o']t|cannot|not found|exception|denied|unauthor|❌|refused|timed? ?out/i;

const [, , from = '', to = ''] = process.argv;
const seen = new Set<string>();
const rows: string[] = [];
for (const text of readFileSync(from, 'utf8').split('\n')) {
  if (text === '') continue;
  const { server, sdk, case: done, wire } = JSON.parse(text) as Raw;
  const [doing = ''] = done.split('#');
  const said = textOf(wire);
  const isMarked = wire.error !== undefined || wire.result?.isError === true;
  const same = `${server} ${isMarked} ${said.replace(/\d{4,}/g, '0')} ${wire.error === undefined ? '' : JSON.stringify(wire.error)}`;
  if (said.length > LONGEST || JSON.stringify(wire).length > 3 * LONGEST || seen.has(same)) continue;
  seen.add(same);
  const meaning = meaningOf(doing, said);
  const [kind, also, retryable, words, subject] = meaning;
  const isSuccess = !isMarked && !ERRORS.test(said);
  const hides = isSuccess && doing.includes('@') && doing !== 'valid@offline';
  const misleads = /^valid@\d+$/.test(doing) && MISLEADS.test(said);
  const label: Label | { readonly failure: false } = isSuccess
    ? { failure: false }
    : { kind, also, ...(subject === undefined ? {} : { subject }), retryable };
  const row = {
    id: createHash('sha256').update(same).digest('hex').slice(0, 10),
    server,
    sdk,
    case: doing,
    wire: { ...wire, id: 1 },
    label,
    ...(isMarked ? {} : { disguise: isSuccess ? 'success' : 'failure' }),
    readable: isSuccess ? !hides : words.test(said) && !misleads,
  };
  rows.push(JSON.stringify(row));
}
writeFileSync(to, `${rows.join('\n')}\n`);
console.log(`${rows.length} answers; now read every one of them`);

/** Without credentials, a valid call fails for want of them, or for want of a network, as any other may. */
function meaningOf(doing: string, said: string): Meaning {
  if (/spawn \S+ ENOENT/.test(said)) return PROGRAM;
  const isAway = /fetch failed|ECONN|EAI_AGAIN|ENOTFOUND/.test(said);
  if (isAway && !doing.includes('@')) return AWAY;
  if (doing === 'valid') return KEYS[3].test(said) ? KEYS : AWAY;
  return MEANINGS[doing] ?? KEYS;
}
