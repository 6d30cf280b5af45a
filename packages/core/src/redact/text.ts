import { type Part, partsNear, SHORTEST_IN_PARTS } from './changed-parts.ts';
import type { CleanTexts } from './clean-texts.ts';
import type { OwnParts } from './own.ts';
import { createPage, FORMAT, type Page, type Span, type Switches } from './page.ts';
import type { Parts } from './parts.ts';
import { placesOf } from './places.ts';
import type { Scanner } from './scan.ts';
import { type Known, type Namer, outsideSurrogates } from './surrogates.ts';
import type { Finding } from './types.ts';

const ROUNDS = 6;

/** Everything needed to redact strings with one set of options. */
export interface Engine {
  readonly switches: Switches;
  readonly scanner: Scanner;
  readonly parts: Parts;
  readonly clean: CleanTexts;
  /** Finds what is the reader's own. */
  ownIn?: OwnParts | undefined;
  /** Marks what is known to be secret. */
  hide?: ((page: Page) => void) | undefined;
  /** What a surrogate says beside its number. */
  digest?: ((value: string) => string) | undefined;
}

/** What a text marks, as disjoint spans in order. */
export function detect(
  engine: Omit<Engine, 'clean'>,
  text: string,
  label?: string | undefined,
  depth = 0,
): Span[] {
  return read(engine, text, label, depth).spans;
}

/** What was found in a text. */
interface Reading {
  readonly spans: Span[];
  /** Whether each of it hangs on the text near it alone. */
  readonly isNear: boolean;
}

function read(
  engine: Omit<Engine, 'clean'>,
  text: string,
  label: string | undefined,
  depth: number,
): Reading {
  const short = engine.scanner.isNear ? engine.parts.shorten?.(text) : undefined;
  const spans = short?.whole(readParts({ ...engine, hide: undefined }, short.text, label, depth).spans);
  if (spans === undefined) {
    return readParts(engine, text, label, depth);
  }
  // A value that is known may be longer than what is left of the text.
  const page = createPage(text, engine.switches, depth, label);
  engine.hide?.(page);
  return { spans: page.spans.length === 0 ? spans : merge([...spans, ...page.spans]), isNear: false };
}

/** Reads some parts of a text, all of it if none are given. What its structure and its label say is read in any case. */
function readParts(
  engine: Omit<Engine, 'clean'>,
  text: string,
  label: string | undefined,
  depth: number,
  parts: readonly Part[] = [{ start: 0, end: text.length }],
): Reading {
  const page: Page = createPage(text, engine.switches, depth, label);
  for (const { start, end } of parts) {
    engine.scanner.scan(page, start, end);
  }
  for (const look of engine.parts.looks) {
    look(page, label);
  }
  engine.hide?.(page);
  engine.parts.markDisguised?.(page, (plain) => detect(engine, plain, label, depth + 1));
  const spans = engine.parts.withoutLetters?.(page) ?? page.spans;
  // A table has its head, a disguise and a statement of SQL all that follows to look at.
  const isFar = page.tableHead >= 0 || page.disguiseFrom >= 0 || page.sqlFrom >= 0;
  const toGo = engine.parts.toGo?.(spans, text, (value, off) =>
    detect(without(engine, off), value, undefined, depth + 1),
  );
  return { spans: merge(toGo ?? spans), isNear: engine.scanner.isNear && !isFar };
}

/** The same without some rules. */
function without<E extends Omit<Engine, 'clean'>>(engine: E, off: ReadonlySet<string>): E {
  const { switches } = engine;
  const isOn = (rule: string): boolean => !off.has(rule) && switches.isOn(rule);
  return off.size === 0 ? engine : { ...engine, switches: { ...switches, isOn } };
}

function merge(spans: Span[]): Span[] {
  if (spans.length < 2) {
    return spans;
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: Span[] = [];
  let last: Span | undefined;
  for (const span of spans) {
    if (last === undefined || span.start >= last.end) {
      last = span;
      out.push(span);
      continue;
    }
    if (span.weight > last.weight) {
      last.rule = span.rule;
      last.class = span.class;
      last.weight = span.weight;
    }
    if (span.end > last.end) {
      last.end = span.end;
      last.quote = '';
    }
  }
  return out;
}

/** Replaces what rules find until they find nothing more, so that a second redaction has nothing left to do. */
export function redactString(
  engine: Engine,
  namer: Namer,
  input: string,
  path: () => string,
  findings: Finding[],
  label?: string | undefined,
): string {
  let text = input;
  let hasSurrogates = true;
  let isNear = input.length >= SHORTEST_IN_PARTS;
  let parts: readonly Part[] | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const reading = parts ? readParts(engine, text, label, 0, parts) : read(engine, text, label, 0);
    const found = reading.spans;
    const own = engine.ownIn?.(text, found);
    const spans =
      own === undefined ? found : found.filter((span) => !own.has(span) || isKnownForm(engine, text, span));
    if (spans.length === 0) {
      break;
    }
    if (round === 0) {
      hasSurrogates = namer.reserve(text);
    }
    const changes: Part[] = [];
    text = replace(namer, text, spans, path(), findings, hasSurrogates, changes);
    hasSurrogates = true;
    isNear &&= reading.isNear;
    parts = isNear ? partsNear(text, changes) : undefined;
  }
  return text;
}

/** Whether a value that its name gave away would have been known without it: what covers it is not all that was to be found. */
function isKnownForm(engine: Engine, text: string, { start, end, rule }: Span): boolean {
  return rule === 'weak-name' && detect(engine, text.slice(start, end)).some((span) => span.weight >= FORMAT);
}

function replace(
  namer: Namer,
  text: string,
  spans: Span[],
  path: string,
  findings: Finding[],
  hasSurrogates: boolean,
  changes: Part[],
): string {
  let out = '';
  let from = 0;
  for (const span of spans) {
    const parts = hasSurrogates
      ? outsideSurrogates(text, span.start, span.end)
      : [[span.start, span.end] as const];
    for (const [start, end] of parts) {
      out += text.slice(from, start);
      const changedFrom = out.length;
      out += span.quote + namer.name(text.slice(start, end), span.class, span.rule) + span.quote;
      changes.push({ start: changedFrom, end: out.length });
      from = end;
    }
    findings.push({ rule: span.rule, path });
  }
  return out + text.slice(from);
}

/** Replaces values that were found elsewhere in the same message. */
export function replaceKnown(known: Known, input: string, path: () => string, findings: Finding[]): string {
  let text = input;
  for (const [value, surrogate] of known) {
    const places = placesOf(text, value);
    if (places.length > 0) {
      let [left, from] = ['', 0];
      for (const at of places) {
        left += text.slice(from, at) + surrogate;
        from = at + value.length;
      }
      text = left + text.slice(from);
      findings.push({ rule: 'repeated', path: path() });
    }
  }
  return text;
}
