/** The language itself, in the page: what is pasted here goes nowhere. Loaded only where somebody needs it. */
import { type DialectId, language, type Reading } from '@mayday/core';
import { look } from '@mayday/core/dialects';
import { adviceFor } from '@mayday/core/render';

/** A failure, as one dialect says it. */
export interface Said {
  readonly dialect: string;
  readonly wire: unknown;
  readonly losses: readonly string[];
}

/** What was read out of something, and how it is said elsewhere. */
export interface Translated {
  readonly reading: Extract<Reading, { failure: true }>;
  readonly advice: string;
  readonly said: readonly Said[];
}

/** The names of all dialects. */
export const DIALECT_NAMES: readonly string[] = language.dialects.map(({ id }) => id);

/** Reads anything that somebody pastes; nothing, where it is no failure. */
export function translate(text: string, from: string | undefined): Translated | undefined {
  const value = pasted(text);
  const reading = language.read(value, { from: from as DialectId | undefined });
  if (!reading.failure) return undefined;
  const { id } = look(value);
  const placement =
    reading.placement === 'protocol' || reading.placement === 'tool' ? reading.placement : undefined;
  const said = language.dialects.map((dialect) => {
    const { wire, losses } = language.write(reading.fault, dialect.id, { id, placement });
    return { dialect: dialect.id, wire, losses };
  });
  return { reading, advice: adviceFor(reading.fault), said };
}

/** Prose is input too. */
function pasted(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
