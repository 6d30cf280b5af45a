import { type DialectId, type Fault, read, write } from '@mayday/core';
import { DIALECTS } from '@mayday/core/dialects';
import { expect } from 'vitest';

const KEPT = ['kind', 'reaction', 'retryable'] as const;

/** A failing message, read; then said in every dialect and read back: what `losses` does not name is kept. */
export function expectLawful(wire: { readonly id?: unknown }, from: DialectId): Fault {
  const heard = faultIn(wire, from);
  for (const { id } of DIALECTS) {
    const said = write(heard, id, { id: 1 });
    const back = faultIn(said.wire, id);
    const expected = KEPT.filter((member) => !said.losses.includes(member));
    expect([id, expected.map((member) => back[member])]).toEqual([
      id,
      expected.map((member) => heard[member]),
    ]);
  }
  expect(write(heard, 'mayday', { id: 1 }).losses).toEqual([]);
  return heard;
}

/** A failing message is known for what it is without a hint, and its own dialect says it again to the letter. */
export function expectRecognised(wire: { readonly id?: unknown }, dialect: DialectId): void {
  expect(read(wire)).toMatchObject({ failure: true, dialect });
  expect(write(faultIn(wire, dialect), dialect, { id: 1 }).wire).toEqual(withoutExtras(wire));
}

/**
 * What a repetition can do is known to the server, which knows the tool; nobody reads it out of a failure. What the
 * document has no place for stands beside it.
 */
function withoutExtras(wire: object): unknown {
  const text = JSON.stringify(wire, (key, value) => (key === '_meta' ? withoutKept(value) : value));
  return JSON.parse(text.replaceAll(' It may have happened; check before you repeat a change.', ''));
}

function withoutKept({ 'dev.mayday/error': _kept, ...meta }: { readonly [key: string]: unknown }): unknown {
  return Object.keys(meta).length === 0 ? undefined : meta;
}

function faultIn(wire: unknown, from: DialectId): Fault {
  const reading = read(wire, { from });
  expect(reading).toMatchObject({ failure: true });
  return (reading as Extract<typeof reading, { failure: true }>).fault;
}
