/**
 * What redaction catches and what it wrongly touches, by classes that are typed from public knowledge of formats and
 * not from the rules. A third of the classes is kept aside: rules are never mended after a look at those, so that they
 * measure what comes next.
 *
 * `npm run bench:redact-recall` prints the rates, those of the compact rules too; `-- --misses` also what is missed, of the
 * classes that are not aside.
 */
import { inspect } from 'node:util';
import { redact as compact, redactSecrets } from '../packages/core/src/redact/compact.ts';
import { createRedactor } from '../packages/core/src/redact/index.ts';
import type { Redaction } from '../packages/core/src/redact/types.ts';
import { BENIGN_CLASSES } from './redact-classes/benign.ts';
import { INTERNAL_CLASSES } from './redact-classes/internals.ts';
import { PERSONAL_CLASSES } from './redact-classes/personal.ts';
import { SECOND_ROUND } from './redact-classes/second-round.ts';
import { SECRET_CLASSES } from './redact-classes/secrets.ts';
import { SHAPES } from './redact-classes/shapes.ts';
import { THIRD_ROUND } from './redact-classes/third-round.ts';
import type { Classes } from './redact-classes/types.ts';
import { createRandom, expand } from './redact-random.ts';

const SEEDS = [1, 2, 3, 4];
/** Whatever redacts. */
export type Redact = <T>(value: T) => Redaction<T>;

const { redact } = createRedactor();

/** One text that went wrong. */
export interface Miss {
  readonly group: string;
  readonly class: string;
  readonly text: string;
  readonly out: string;
}

/** Of so many texts so many were right. */
export interface Rate {
  right: number;
  all: number;
}

/** Every third class by a hash of its name is kept aside. */
export function isAside(name: string): boolean {
  let hash = 7;
  for (const char of name) {
    hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  }
  return hash % 3 === 0;
}

const GROUPS: Readonly<Record<string, Classes>> = {
  secrets: SECRET_CLASSES,
  personal: PERSONAL_CLASSES,
  internals: INTERNAL_CLASSES,
  benign: BENIGN_CLASSES,
};

/** Runs all classes of one half, aside or not. */
export function measure(aside: boolean, by: Redact = redact): { rates: Map<string, Rate>; misses: Miss[] } {
  const rates = new Map<string, Rate>();
  const misses: Miss[] = [];
  const count = (group: string, right: boolean): void => {
    const rate = rates.get(group) ?? { right: 0, all: 0 };
    rates.set(group, { right: rate.right + (right ? 1 : 0), all: rate.all + 1 });
  };
  for (const [group, classes] of Object.entries(GROUPS)) {
    const mended = aside ? {} : { ...SECOND_ROUND[group], ...THIRD_ROUND[group] };
    const own = Object.entries(classes).filter(([name]) => isAside(name) === aside);
    for (const [name, templates] of [...own, ...Object.entries(mended)]) {
      for (const template of templates) {
        const miss = missOf(by, group, name, template, (right) => count(group, right));
        if (miss) {
          misses.push(miss);
        }
      }
    }
  }
  for (const [name, make] of SHAPES) {
    if (isAside(name) === aside) {
      const secret = expand('{n14}', createRandom(name.length));
      const { value } = by(make(secret));
      const out = shown(value);
      const right = !out.includes(secret);
      count('shapes', right);
      if (!right) {
        misses.push({ group: 'shapes', class: name, text: secret, out: out.slice(0, 200) });
      }
    }
  }
  return { rates, misses };
}

function missOf(
  by: Redact,
  group: string,
  name: string,
  template: string,
  count: (right: boolean) => void,
): Miss | undefined {
  let miss: Miss | undefined;
  for (const seed of SEEDS) {
    const marked = expand(template, createRandom(seed * 7919 + template.length));
    const planted = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1] as string);
    const text = marked.replace(/[⟦⟧]/g, '');
    const out = by(text).value;
    const right = group === 'benign' ? out === text : !planted.some((part) => out.includes(part));
    count(right);
    miss ??= right ? undefined : { group, class: name, text: marked, out };
  }
  return miss;
}

/** All that the ways to print a value show of it. */
function shown(value: unknown): string {
  let json = '';
  try {
    json = JSON.stringify(value) ?? '';
  } catch {
    json = '';
  }
  const entries =
    value instanceof Headers || value instanceof URLSearchParams || value instanceof FormData
      ? [...value.entries()]
      : [];
  return [
    json,
    inspect(value, { depth: 20, getters: true, showHidden: true }),
    String(entries),
    text(value),
  ].join('\n');
}

function text(value: unknown): string {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return Buffer.from(value as ArrayBuffer).toString('latin1');
  }
  try {
    return String(value);
  } catch {
    return '';
  }
}

const rows = (rates: ReadonlyMap<string, Rate>): object =>
  Object.fromEntries(
    [...rates].map(([group, { right, all }]) => [group, { texts: all, right: (right / all).toFixed(4) }]),
  );

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const aside of [false, true]) {
    const { rates, misses } = measure(aside);
    console.log(aside ? '\nkept aside' : 'looked at');
    console.table(rows(rates));
    if (!aside && process.argv.includes('--misses')) {
      for (const { group, class: name, text: from, out } of misses) {
        console.log(`${group}/${name}\n   ${JSON.stringify(from)}\n   ${JSON.stringify(out)}`);
      }
    }
  }
  console.log('\nkept aside, by `redact` of /redact/compact');
  console.table(rows(measure(true, compact).rates));
  console.log('\nkept aside, by `redactSecrets` of /redact/compact');
  console.table(rows(measure(true, redactSecrets).rates));
}
