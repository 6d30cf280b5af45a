/**
 * Proves with a ReDoS checker that no expression of the redaction engine can be made slow, and keeps the list of those
 * proved in `redact-redos.golden.json`, because the proof takes minutes and expressions change rarely.
 *
 * `node bench/redact-prove.ts` proves what is new; with `--all`, everything.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { check } from 'recheck';
import '../packages/core/src/redact/redactor.ts';
import { BUILT } from '../packages/core/src/redact/rules/patterns.ts';

/** One expression literal of the engine's source. */
export interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
  readonly id: string;
}

const engine = new URL('../packages/core/src/redact/', import.meta.url);
const golden = new URL('redact-redos.golden.json', import.meta.url);
const LITERAL =
  /(?<=[(,=:[?&|!]\s*|=>\s*|return )\/((?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g;

/** Every expression of the engine that repeats anything; the others cannot be slow. */
export function expressions(): Expression[] {
  const found = new Map<string, Expression>();
  for (const folder of ['', 'rules/', 'bytes/'].map((name) => new URL(name, engine))) {
    for (const file of readdirSync(folder).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )) {
      for (const [, source = '', flags = ''] of readFileSync(new URL(file, folder), 'utf8').matchAll(
        LITERAL,
      )) {
        const id = idOf(source, flags);
        if (/[*+}]/.test(source.replace(/\\[*+}]/g, ''))) {
          found.set(id, { file, source, flags, id });
        }
      }
    }
  }
  for (const { source, flags } of BUILT) {
    const id = idOf(source, flags);
    found.set(id, { file: 'built', source, flags, id });
  }
  return [...found.values()];
}

function idOf(source: string, flags: string): string {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 16);
}

/** Ids of the expressions proved safe. */
export function proved(): Set<string> {
  return new Set(JSON.parse(readFileSync(golden, 'utf8')) as string[]);
}

/** The checker's verdict. A sticky expression is tried at one place only, which an anchor says to the checker. */
export async function verdict({ source, flags }: Expression, timeout = 30_000): Promise<string> {
  const anchored = flags.includes('y') ? `^(?:${source})` : source;
  const { status } = await check(anchored, flags.replace(/[dgy]/g, ''), { timeout });
  return status;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const known = process.argv.includes('--all') ? new Set<string>() : proved();
  const all = expressions();
  let bad = 0;
  for (const expression of all.filter(({ id }) => !known.has(id))) {
    const status = await verdict(expression);
    if (status === 'safe') {
      known.add(expression.id);
    } else {
      bad++;
      console.log(`${status}: ${expression.file} /${expression.source}/${expression.flags}`);
    }
  }
  const kept = all.map(({ id }) => id).filter((id) => known.has(id));
  writeFileSync(golden, `${JSON.stringify(kept.sort(), null, 1)}\n`);
  console.log(`${kept.length} of ${all.length} expressions proved safe`);
  process.exitCode = bad === 0 ? 0 : 1;
}
