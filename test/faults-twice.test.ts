/**
 * The same fault, thrown by the same handler: guarded by the kit in a document's dialect, and guarded in ours behind a
 * gateway that speaks the document's. Whoever goes by the document makes the call again after both, or after neither.
 */
import { fault } from '@mayday/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byGateway, byKit, closeAll } from './said-twice.ts';

const DIALECTS = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'] as const;
type DialectName = (typeof DIALECTS)[number];

const WAIT = { retry: { afterMs: 1000 } };
const SAID = {
  plain: {},
  wait: WAIT,
  no: { executed: 'no' },
  'no, wait': { executed: 'no', ...WAIT },
} as const;
const FAILURES = (Object.keys(fault) as (keyof typeof fault)[]).flatMap((name) =>
  Object.entries(SAID).map(([said, options]) => ({
    name: `${name} (${said})`,
    make: () => fault[name]('The mail service says so', options),
  })),
);
const FAULTS = FAILURES.map(({ make }) => make);
const WAYS = ['throws', 'reads'] as const;

/** By the document's own member; what stands under our name comes after it. */
const isRetryable = (said: string): boolean => /"retryable":(\w+)/.exec(said)?.[1] === 'true';

/** What the clients of the documents call again for, without having been told what that can do. */
const CALLED_AGAIN: { readonly [D in DialectName]: (said: string) => boolean } = {
  closient: (said) => said.includes('"code":-32003') || isRetryable(said),
  erlmcp: (said) => said.includes('"code":-32010'),
  onx: (said) => isRetryable(said),
  qaqnuz: (said) => /rate limit/i.test(said),
  platica: (said) => /(?:call|try) again|wait at least/i.test(said) && !/may have happened/i.test(said),
};

const found = new Map<string, { readonly kit: string; readonly gateway: string }>();

beforeAll(async () => {
  const gateway = await byGateway(FAULTS, { guarded: true });
  for (const dialect of DIALECTS) {
    const kit = await byKit(FAULTS, dialect);
    for (const [n, { name }] of FAILURES.entries())
      for (const way of WAYS) {
        const [one, other] = await Promise.all([kit(way, n), gateway(dialect, way, n)]);
        found.set(`${dialect} ${way} ${name}`, { kit: JSON.stringify(one), gateway: JSON.stringify(other) });
      }
  }
}, 120_000);
afterAll(closeAll);

/** Only the kit knows that nobody has signed in at this server, which Platica refuses with its own code. */
const KNOWN = ['unauthenticated (no)', 'unauthenticated (no, wait)'];

const inBoth = (
  dialect: DialectName,
  way: (typeof WAYS)[number],
  tells: (said: string) => boolean,
): string[] =>
  FAILURES.filter(({ name }) => !KNOWN.includes(name)).flatMap(({ name }) => {
    const { kit, gateway } = found.get(`${dialect} ${way} ${name}`) as { kit: string; gateway: string };
    return tells(kit) === tells(gateway) ? [] : [`${way} ${name}: ${kit} | ${gateway}`];
  });

describe.each(DIALECTS)('CL-19 ER-33 EM-12 QA-13 PL-4 in %s', (dialect) => {
  it.each(WAYS)('%s: kit and gateway have a call made again for the same faults', (way) => {
    expect(inBoth(dialect, way, CALLED_AGAIN[dialect])).toEqual([]);
  });
});

/** Whose text is all that a caller has. */
describe.each(['qaqnuz', 'platica'] as const)('QA-6 PL-4 in %s', (dialect) => {
  it.each(WAYS)('%s: kit and gateway say of the same faults that it may have happened', (way) => {
    expect(inBoth(dialect, way, (said) => /may have happened/i.test(said))).toEqual([]);
  });
});

it.each(DIALECTS)('a limit that a change has met in the middle is none to wait out in %s', (dialect) => {
  const answers = (way: (typeof WAYS)[number], said: readonly (keyof typeof SAID)[]): boolean[] =>
    said.flatMap((option) =>
      Object.values(found.get(`${dialect} ${way} rateLimited (${option})`) ?? {}).map(CALLED_AGAIN[dialect]),
    );
  expect(answers('throws', ['plain', 'wait'])).toEqual([false, false, false, false]);
  expect(answers('throws', ['no', 'no, wait'])).toEqual([true, true, true, true]);
  expect(answers('reads', ['plain', 'wait'])).toEqual([true, true, true, true]);
});
