/**
 * Are failures that are the same in one group of the journal, and others in another? Answers of real servers, each met again
 * with other values in it.
 *
 * The truth is made apart from the templates that are judged: two failures are the same when they are of one server, have the
 * same labelled kind, and say the same but for values (what reading takes for the message is measured elsewhere). Values are what whoever gathered the answers had sent (names
 * of tools, URIs, places), addresses, paths, ids, times, and numbers that are no status and no error code.
 */
import { type Fault, language, makeFault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { type Row, textOf } from '../reading/corpus.ts';
import { chances } from './nodes.ts';

// Not part of the public surface, so it is taken from the source.
type Fingerprint = typeof import('../../packages/gateway/src/faults/fault-fingerprint.ts');
const source = new URL('../../packages/gateway/src/faults/fault-fingerprint.ts', import.meta.url);
const { faultFingerprint } = (await import(source.href)) as Fingerprint;

/** How well failures are grouped, over all pairs of failures of one server. */
export interface Grouped {
  readonly failures: number;
  /** Groups there should be, and groups there are. */
  readonly wanted: number;
  readonly found: number;
  readonly precision: number;
  readonly recall: number;
  /** Pairs that are together and should not be, and the other way round, the most frequent first. */
  readonly wronglyTogether: readonly Mistake[];
  readonly wronglyApart: readonly Mistake[];
}

/** Two texts, and how many pairs of failures of theirs are wrong. */
export interface Mistake {
  readonly pairs: number;
  readonly one: string;
  readonly other: string;
}

/** A value, and what may stand in its place. */
interface Value {
  readonly what: RegExp;
  readonly others: readonly string[];
}

/** The names that were sent on purpose come first: some of them look like words. */
const VALUES: readonly Value[] = [
  { what: /no_such_(?:tool|prompt)_xyz/, others: ['get_weather', 'create-issue', 'listOrders', 'export'] },
  { what: /__not_in_enum__/, others: ['purple', 'v2', 'weekly', 'RANDOM'] },
  { what: /hello[ +]world|London/, others: ['Paris', 'green tea', 'Zurich', 'x'] },
  {
    what: /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)\]},]+/i,
    others: [
      'https://a.example/b?c=1',
      'https://shop.example/orders/77/items?page=2&size=50',
      'http://10.0.0.7:8080/',
      'https://b.example/x',
    ],
  },
  {
    what: /(?:\/(?:home|tmp|usr|var|root|workspace)\/|[A-Z]:\\)[^\s"'`<>)\]},:]*/,
    others: ['/srv/app/data.json', '/opt/tools/mcp/index.js', '/var/lib/x', '/home/eve/work/notes.txt'],
  },
  {
    what: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i,
    others: [
      '6f1c2a34-0000-4000-8000-1234567890ab',
      '00000000-1111-4222-8333-444444444444',
      'a1b2c3d4-e5f6-4789-8abc-def012345678',
      '9b2d7c1e-3f4a-4b5c-8d6e-7f8a9b0c1d2e',
    ],
  },
  {
    what: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/,
    others: ['2026-01-31T12:00:00Z', '2025-12-24 18:30:00', '2027-07-07', '2026-11-16T02:12:36.123Z'],
  },
  {
    what: /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/,
    others: ['10.1.2.3:443', '192.168.0.10', '127.0.0.1:8080', '172.16.5.4:5432'],
  },
  {
    what: /\b(?=[0-9a-z]*\d)(?=[0-9a-z]*[a-z])[0-9a-z]{6,}\b/i,
    others: ['abc123', 'cus9a8b7c', 'f00dfeed99', 'k3y0f0rd3r'],
  },
  // Of numbers, a status or an error code says which failure it is, unless it is an amount of something.
  {
    what: /(?<![\w.-])(?!(?:[45]\d\d|-32\d{3})(?![\w.])(?!\s?(?:ms|s|seconds|bytes)\b))-?\d+(?:\.\d+)?(?!\w)/,
    others: ['3', '42', '9000', '12345.5'],
  },
  {
    what: /(?<=[a-z,.] )["'`][\w ./:-]{1,60}["'`](?=[ .,]|$)/,
    others: ["'alpha'", "'beta gamma'", "'d/e'", "'foo'"],
  },
];
const ANY_VALUE = new RegExp(VALUES.map(({ what }) => `(${what.source})`).join('|'), 'gi');

/** How often each answer is met, with other values each time. */
const TIMES = 4;

/** A name that was asked for and that there is none of: the gateway knows what it was asked for. */
const UNKNOWN = 'no_such_tool_xyz';

/** A failure that was met. */
interface Met {
  readonly truth: string;
  readonly group: string;
  readonly text: string;
}

/** Groups all of them. */
export function groupAll(rows: readonly Row[], seed = 14): Grouped {
  const chance = chances(seed);
  const byServer = new Map<string, Met[]>();
  for (const row of rows) {
    const all = byServer.get(row.server) ?? [];
    byServer.set(row.server, all);
    for (let time = 0; time < TIMES; time += 1) all.push(meet(row, time, chance));
  }
  return judged([...byServer.values()]);
}

/** The first time as it was gathered, then with other values in every place. */
function meet(row: Row, time: number, chance: () => number): Met {
  const picked = new Map<string, string>();
  const change = (text: string): string =>
    time === 0
      ? text
      : text.replace(ANY_VALUE, (found, ...groups) => {
          const at = VALUES.findIndex((_, i) => groups[i] !== undefined);
          const others = VALUES[at]?.others ?? [found];
          const known = picked.get(found) ?? others[Math.floor(chance() * others.length)] ?? found;
          picked.set(found, known);
          return known;
        });
  const wire = changed(row.wire, change);
  const fault = faultOf(wire);
  const said = faultOf(row.wire).message;
  const upstream = row.server;
  const message = redact(fault.message).value;
  return {
    truth: JSON.stringify([row.label.kind, said.replace(ANY_VALUE, '§')]),
    group: faultFingerprint({ ...fault, message }, { upstream, target: picked.get(UNKNOWN) ?? UNKNOWN }),
    text: message,
  };
}

/** As a gateway reads it; what looks like no failure to it is a failure of which nothing is known. */
function faultOf(wire: Row['wire']): Fault {
  const reading = language.read(wire);
  return reading.failure ? reading.fault : makeFault({ kind: 'unknown', message: textOf(wire) });
}

/** The same wire, each of its texts changed; codes and statuses are no texts. */
function changed<T>(wire: T, change: (text: string) => string): T {
  if (typeof wire === 'string') return change(wire) as T;
  if (Array.isArray(wire)) return wire.map((one) => changed(one, change)) as T;
  if (typeof wire !== 'object' || wire === null) return wire;
  return Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, name === 'type' ? value : changed(value, change)]),
  ) as T;
}

function judged(servers: readonly (readonly Met[])[]): Grouped {
  let [together, rightly, belong] = [0, 0, 0];
  const wrong = { together: new Map<string, Mistake>(), apart: new Map<string, Mistake>() };
  const note = (where: Map<string, Mistake>, a: Met, b: Met): void => {
    const name = [a.truth, b.truth].sort().join('\n');
    const known = where.get(name);
    where.set(name, { one: a.text, other: b.text, ...known, pairs: (known?.pairs ?? 0) + 1 });
  };
  for (const all of servers)
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1)) {
        const [isSame, isTogether] = [a.truth === b.truth, a.group === b.group];
        if (isSame) belong += 1;
        if (isTogether) together += 1;
        if (isSame && isTogether) rightly += 1;
        else if (isTogether) note(wrong.together, a, b);
        else if (isSame) note(wrong.apart, a, b);
      }
  const groups = (of: (met: Met) => string): number =>
    servers.reduce((count, all) => count + new Set(all.map(of)).size, 0);
  const most = (where: Map<string, Mistake>): readonly Mistake[] =>
    [...where.values()].sort((a, b) => b.pairs - a.pairs);
  return {
    failures: servers.reduce((count, all) => count + all.length, 0),
    wanted: groups(({ truth }) => truth),
    found: groups(({ group }) => group),
    precision: rightly / together,
    recall: rightly / belong,
    wronglyTogether: most(wrong.together),
    wronglyApart: most(wrong.apart),
  };
}
