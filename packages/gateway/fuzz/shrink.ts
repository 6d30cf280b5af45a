/** From a violation to the one message behind it, as small as it gets. */
import type { Gateway } from '../acceptance/support/gateway.ts';
import { Caller } from './caller.ts';
import { type Case, toCase } from './cases.ts';
import { type Act, type Asked, onApiRequest, onLine, onRequest } from './hostile.ts';
import { type HttpUpstream, startHttpUpstream } from './http-upstream.ts';
import { type Random, randomFor } from './random.ts';
import { startRange, stopRange } from './range.ts';
import type { Violation } from './run.ts';
import { plainShot, type Shot } from './shot.ts';

const BUDGET_MS = 25_000;

/** Replays the suspects one by one; the first that does it again is made small. Undefined when none does. */
export async function caseFor({ kind, detail, suspects }: Violation): Promise<Case | undefined> {
  const bench = await startBench(kind === 'death' ? undefined : detail);
  try {
    const culprit = await first(suspects, bench);
    if (culprit === undefined) return undefined;
    bench.onlyThis();
    const plain = plainShot(culprit.index, culprit.head, culprit.body);
    if (!(await bench.fails(plain))) return toCase(kind, detail, culprit.head, culprit.body);
    const spelt = await spelledOut(plain, bench);
    const head = await leanHead(spelt, bench);
    // A failure made smaller may be no failure any more: only deaths are, which mean the same whatever caused them.
    if (kind !== 'death') return toCase(kind, detail, head, spelt.body);
    const spoken = await shrunkSpeech(spelt, head, bench);
    const body = await smaller(spoken, (bytes) => bench.fails(plainShot(0, head, bytes)));
    return toCase(kind, bench.lastWords(), head, body);
  } finally {
    await bench.close();
  }
}

/** What two violations with the same cause have in common: the error and where it was thrown. */
export function signature({ kind, detail }: Violation): string {
  return `${kind} ${thrown(detail) ?? detail.replaceAll(/[\d:]+/g, '#').slice(0, 120)}`;
}

function thrown(log: string): string | undefined {
  return /^(?:Uncaught )?\w*Error: [^\n]*\n(?:\s+at [^\n]*\n){1,2}/m.exec(log)?.[0];
}

interface Bench {
  /** From now on, only what was thrown last counts: a smaller message must not die of something else. */
  onlyThis(): void;
  /** Whether a fresh, well gateway does the wrong thing again on this. */
  fails(shot: Shot): Promise<boolean>;
  /** What the last gateway that died said about it. */
  lastWords(): string;
  close(): Promise<void>;
}

/** Without the words of a trouble, what is looked for is a death. */
async function startBench(trouble: string | undefined): Promise<Bench> {
  const http: HttpUpstream = await startHttpUpstream();
  let log = '';
  let words = '';
  let wanted: string | undefined;
  let gateway: Gateway | undefined;
  const fresh = async (): Promise<Gateway> => {
    log = '';
    gateway = await startRange(http, (text) => {
      log = (log + text).slice(-4000);
    });
    return gateway;
  };
  const fails = async (shot: Shot): Promise<boolean> => {
    const target = gateway?.alive() === true ? gateway : await fresh();
    const caller = new Caller({ port: target.port, limitMs: 5000 });
    const host = `Host: 127.0.0.1:${target.port}`;
    const aimed = plainShot(shot.index, shot.head.replace(/Host: [^\r]*/, host), shot.body);
    const [outcome] = await caller.fire([shot.owed === 'answer' ? aimed : shot]);
    caller.close();
    await Promise.race([target.gone, new Promise((resolve) => setTimeout(resolve, 80))]);
    if (!target.alive()) words = log;
    if (trouble === undefined) return !target.alive() && (wanted === undefined || thrown(words) === wanted);
    return outcome?.trouble?.slice(0, 17) === trouble.slice(0, 17);
  };
  const onlyThis = (): void => {
    wanted = thrown(words);
  };
  const lastWords = (): string => /^\w*Error: .*$/m.exec(words)?.[0] ?? words.slice(0, 200);
  const close = async (): Promise<void> => {
    if (gateway !== undefined) await stopRange(gateway);
    await http.close();
  };
  return { onlyThis, fails, lastWords, close };
}

async function first(suspects: readonly Shot[], bench: Bench): Promise<Shot | undefined> {
  const until = performance.now() + BUDGET_MS;
  for (const suspect of suspects) {
    if (performance.now() > until) return undefined;
    const plain = plainShot(suspect.index, suspect.head, suspect.body);
    if (await bench.fails(plain)) return suspect;
  }
  return undefined;
}

/** A plan means something only to this version of the grammar; the bytes it stands for always do. */
async function spelledOut(shot: Shot, bench: Bench): Promise<Shot> {
  const text = shot.body.toString('latin1');
  const plan = /"plan":(\d+)/.exec(text)?.[1];
  if (plan === undefined) return shot;
  for (const react of [onLine, onRequest, onApiRequest]) {
    const say = saidBy(react, Number(plan), text.includes('tools/call')).toString('base64');
    const spelt = plainShot(
      shot.index,
      shot.head,
      Buffer.from(text.replace(`"plan":${plan}`, `"say":"${say}"`), 'latin1'),
    );
    if (await bench.fails(spelt)) return spelt;
  }
  return shot;
}

function saidBy(
  react: (random: Random, asked: Asked) => readonly Act[],
  plan: number,
  calls: boolean,
): Buffer {
  const acts = react(randomFor(plan, 0), { id: '$ID', token: '$TOKEN', calls });
  const all = Buffer.concat(acts.map((act) => ('bytes' in act ? act.bytes : Buffer.alloc(0))));
  // An id has another length than its name: without a length, a response lasts until the connection ends.
  return Buffer.from(
    all.toString('latin1').replace(/^(HTTP[\s\S]*?)Content-Length: \d+\r\n/, '$1'),
    'latin1',
  );
}

async function shrunkSpeech(shot: Shot, head: string, bench: Bench): Promise<Buffer> {
  const text = shot.body.toString('latin1');
  const said = /"say":"([^"]*)"/.exec(text)?.[1];
  if (said === undefined) return shot.body;
  const withSpeech = (bytes: Buffer): Buffer =>
    Buffer.from(text.replace(said, bytes.toString('base64')), 'latin1');
  const small = await smaller(Buffer.from(said, 'base64'), (bytes) =>
    bench.fails(plainShot(0, head, withSpeech(bytes))),
  );
  return withSpeech(small);
}

async function leanHead(shot: Shot, bench: Bench): Promise<string> {
  let lines = shot.head.split('\r\n');
  for (const line of lines.slice(2)) {
    const without = lines.filter((each) => each !== line);
    if (/^authorization/i.test(line)) continue;
    if (await bench.fails(plainShot(0, without.join('\r\n'), shot.body))) lines = without;
  }
  return lines.join('\r\n');
}

/** Takes pieces away, ever smaller ones, as long as it still fails and there is time. */
async function smaller(bytes: Buffer, fails: (bytes: Buffer) => Promise<boolean>): Promise<Buffer> {
  const until = performance.now() + BUDGET_MS;
  let best = bytes;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length && performance.now() < until; ) {
      const candidate = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      if (await fails(candidate)) best = candidate;
      else at += size;
    }
  }
  return best;
}
