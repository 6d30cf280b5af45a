/** Arguments by name or by value, however deep. A column is named like its argument, in another spelling at most. */
import { isRecord } from './look.ts';

/** An argument. */
export interface Argument {
  readonly name: string;
  readonly value: unknown;
}

const DEEPEST = 4;
const MOST = 100;

/** The argument of this name; `customer_id` is `customerId` too. */
export function argumentNamed(name: string, sent: unknown): Argument | undefined {
  const plain = plainly(name);
  return argumentOf(sent, (one) => plainly(one.name) === plain);
}

/** The name of the argument with this value. */
export function nameOf(value: string, sent: unknown): string | undefined {
  return argumentOf(sent, (one) => !isRecord(one.value) && String(one.value) === value)?.name;
}

/** The arguments that a name is made of, as `orders_unit_price_check` is of `unit_price`. */
export function argumentsIn(made: string, sent: unknown): readonly Argument[] {
  const parts = made.toLowerCase().split('_');
  const runs = new Set(
    parts.flatMap((_, from) =>
      parts.slice(from).map((_one, size) => parts.slice(from, from + size + 1).join('')),
    ),
  );
  return argumentsOf(sent, (one) => runs.has(plainly(one.name)));
}

/** A name without what spellings differ in. */
export function plainly(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

function argumentOf(sent: unknown, isIt: (one: Argument) => boolean): Argument | undefined {
  return argumentsOf(sent, isIt)[0];
}

function argumentsOf(sent: unknown, isOne: (one: Argument) => boolean, depth = DEEPEST): readonly Argument[] {
  if (!isRecord(sent) || depth === 0) return [];
  const members = Object.entries(sent)
    .slice(0, MOST)
    .map(([name, value]) => ({ name, value }));
  // Those at the top come first.
  const own = Array.isArray(sent) ? [] : members.filter(isOne);
  return [...own, ...members.flatMap(({ value }) => argumentsOf(value, isOne, depth - 1))];
}
