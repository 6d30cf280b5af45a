import type { KnownLeaf } from './leaf-class.ts';
import { pathOf } from './node-paths.ts';
import { type Entry, type Node, open, saidBy } from './nodes.ts';
import { LOOKS } from './page.ts';
import { rebuild } from './rebuild.ts';
import { createNamer, isSurrogateAt, type Known, type Namer } from './surrogates.ts';
import { detect, type Engine, redactString, replaceKnown } from './text.ts';
import type { Finding, Redaction } from './types.ts';

/** Numbers of at least this size are read as text too: a card number need not be quoted. */
const LONG_NUMBER = 1e12;
const SHORTEST_KEY = 6;
const SHORTEST_KNOWN = 6;
const UNREADABLE = '[unreadable:1]';

/** One redaction under way. */
interface Run {
  readonly engine: Engine;
  readonly namer: Namer;
  readonly findings: Finding[];
}

/** Redacts every string, key and telling number of a value. Total: any value in, never throws. */
export function redactValue<T>(engine: Engine, value: T): Redaction<T> {
  if (typeof value === 'string') {
    const run: Run = { engine, namer: createNamer(engine.digest), findings: [] };
    return { value: redactPlain(run, value) as T, findings: run.findings };
  }
  return engine.parts.isClean?.(engine, value) === true ? { value, findings: [] } : walkValue(engine, value);
}

/** The same without a glance before it, which may only ever save the walk. */
export function walkValue<T>(engine: Engine, value: T): Redaction<T> {
  return walked({ engine, namer: createNamer(engine.digest), findings: [] }, value);
}

/** Those that a redaction of a value names. */
export function namedIn(engine: Engine, value: unknown): ReturnType<Namer['named']> {
  if (engine.parts.isClean?.(engine, value) === true) return [];
  const run: Run = { engine, namer: createNamer(), findings: [] };
  walked(run, value);
  return run.namer.named();
}

function walked<T>(run: Run, value: T): Redaction<T> {
  try {
    const nodes = open(value);
    for (const node of nodes) {
      redactNode(run, node);
    }
    if (run.findings.length > 0 && run.engine.switches.isOn('repeated')) {
      spread(run, nodes);
    }
    return {
      value: run.findings.length === 0 ? value : (rebuild(nodes, UNREADABLE) as T),
      findings: run.findings,
    };
  } catch {
    // A trap that answers once and throws the second time: nothing of such a value is passed on.
    return { value: UNREADABLE as T, findings: [{ rule: 'unreadable', path: '$' }] };
  }
}

/** A text alone needs no walk. What one place of it gives away is removed from the others. */
function redactPlain({ engine, namer, findings }: Run, text: string): string {
  if (engine.clean.has(text, '')) {
    return text;
  }
  const path = (): string => '$';
  const once = redactString(engine, namer, text, path, findings);
  if (findings.length === 0) {
    engine.clean.add(text, '');
  }
  if (findings.length === 0 || !engine.switches.isOn('repeated')) {
    return once;
  }
  const replaced = replaceKnown(namer.known(), once, path, findings);
  return replaced === once ? once : redactString(engine, namer, replaced, path, findings);
}

function redactNode(run: Run, node: Node): void {
  if (node.unreadable && node.via) {
    run.findings.push({ rule: 'unreadable', path: pathOf(node.parent as Node, node.via) });
  }
  redactNeighbours(run, node);
  const commands = redactCommand(run, node);
  for (const entry of node.entries) {
    redactName(run, node, entry);
    if (!entry.child && !commands.has(entry)) {
      redactLeaf(run, node, entry);
    }
  }
}

/** Redacts what goes over several texts. What else they hold is still there to be found. */
function redactNeighbours({ engine, namer, findings }: Run, node: Node): void {
  const parts = engine.parts.neighbourParts?.(node, (text) => detect(engine, text)) ?? [];
  // What others beside it have changed already is no longer what was read.
  const toGo = parts.filter(
    ({ rule, class: cls, entry }) =>
      engine.switches.isOn(rule) && engine.switches.takes(cls) && saidBy(entry) === entry.leaf,
  );
  const named = toGo.map((part) => {
    const text = String(part.entry.leaf);
    namer.reserve(text);
    findings.push({ rule: part.rule, path: pathOf(part.node, part.entry) });
    return { ...part, surrogate: namer.name(text.slice(part.start, part.end), part.class, part.rule) };
  });
  // From the last of a text to its first: what stands before stays where it is.
  for (const { node: holder, entry, start, end, surrogate } of named.sort((a, b) => b.start - a.start)) {
    const text = String(entry.next);
    change(holder, entry, text.slice(0, start) + surrogate + text.slice(end));
  }
}

/** Redacts a list that is a command line. Returns the entries that are done. */
function redactCommand({ engine, namer, findings }: Run, node: Node): ReadonlySet<Entry> {
  const done = new Set<Entry>();
  const parts = engine.parts.commandParts?.(node, (line) => detect(engine, line)) ?? [];
  for (const { entry, start, end, class: cls } of parts) {
    const text = String(entry.leaf);
    if (!done.has(entry) && !isSurrogateAt(text, start, end)) {
      namer.reserve(text);
      const surrogate = namer.name(text.slice(start, end), cls, 'command-line');
      change(node, entry, text.slice(0, start) + surrogate + text.slice(end));
      findings.push({ rule: 'command-line', path: pathOf(node, entry) });
      done.add(entry);
    }
  }
  return done;
}

function redactName({ engine, namer, findings }: Run, node: Node, entry: Entry): void {
  const { name } = entry;
  const text = typeof name === 'symbol' ? name.description : name;
  if (typeof text === 'string' && text.length >= SHORTEST_KEY) {
    const before = findings.length;
    const renamed = redactString(engine, namer, text, () => '', findings);
    if (renamed !== text) {
      entry.name = typeof name === 'symbol' ? Symbol(renamed) : renamed;
      node.dirty = true;
      const path = pathOf(node, entry);
      for (let i = before; i < findings.length; i++) {
        findings[i] = { rule: findings[i]?.rule ?? '', path };
      }
    }
  }
}

function redactLeaf({ engine, namer, findings }: Run, node: Node, entry: Entry): void {
  const leaf = saidBy(entry);
  const isText = typeof leaf === 'string';
  const isNumber = typeof leaf === 'bigint' || typeof leaf === 'number';
  if (!isText && !isNumber) {
    return;
  }
  const text = String(leaf);
  const { switches, parts } = engine;
  const known = parts.knownLeaf(node, entry, leaf);
  const isTaken = known !== undefined && switches.isOn(known.rule) && switches.takes(known.class);
  if (isTaken && !isSurrogateAt(text, 0, text.length) && !isOwn(engine, text, known)) {
    namer.reserve(text);
    change(node, entry, namer.name(text, known.class, known.rule));
    findings.push({ rule: known.rule, path: pathOf(node, entry) });
  } else if (isText || Number(leaf) >= LONG_NUMBER) {
    const name = parts.nameOf(node, entry);
    const next = redactString(engine, namer, text, () => pathOf(node, entry), findings, name);
    if (next !== text) {
      change(node, entry, next);
    }
  }
}

/** Whether a leaf is what the reader wrote himself, and is no secret for sure. */
function isOwn({ ownIn }: Engine, text: string, known: KnownLeaf): boolean {
  const span = { start: 0, end: text.length, rule: known.rule, class: known.class, weight: LOOKS, quote: '' };
  return known.rule === 'weak-name' && ownIn?.(text, [span]).has(span) === true;
}

function change(node: Node, entry: Entry, next: string): void {
  entry.next = typeof entry.next === 'symbol' ? Symbol(next) : next;
  node.dirty = true;
}

/** Looks for the values found in one string in all the others. */
function spread({ engine, namer, findings }: Run, nodes: readonly Node[]): void {
  const known = namer.known();
  for (const node of nodes) {
    for (const entry of node.entries) {
      spreadToName(known, node, entry);
      const text = typeof entry.next === 'string' ? entry.next : entry.leaf;
      if (entry.child || typeof text !== 'string' || text.length < SHORTEST_KNOWN) {
        continue;
      }
      const path = () => pathOf(node, entry);
      const replaced = replaceKnown(known, text, path, findings);
      if (replaced !== text) {
        change(node, entry, redactString(engine, namer, replaced, path, findings));
      }
    }
  }
}

/** Whoever says a secret may have made a key of it. */
function spreadToName(known: Known, node: Node, entry: Entry): void {
  const { name } = entry;
  if (typeof name !== 'string' || name.length < SHORTEST_KNOWN) return;
  const renamed = replaceKnown(known, name, () => '', []);
  if (renamed === name) return;
  entry.name = renamed;
  node.dirty = true;
}
