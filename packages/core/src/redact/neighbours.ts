import type { Entry, Node } from './nodes.ts';
import type { Span } from './page.ts';
import { seamSpans } from './seams.ts';
import { isSurrogateAt } from './surrogates.ts';

/** A part of a text that only the texts beside it give away. */
export interface NeighbourPart {
  readonly node: Node;
  readonly entry: Entry;
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  readonly class: string;
}

/** A text of a value, and where it stands. */
interface Place {
  readonly node: Node;
  readonly entry: Entry;
  readonly text: string;
  /** Is it the text of a block of content? */
  readonly isBlock: boolean;
}

type Part = Omit<NeighbourPart, 'node' | 'entry'> & { readonly place: Place };

/** Under which name an item of a list says its text. */
const TEXT = /^(?:text|line|message|msg|content|value|data|raw|chunk|body)$/i;
/** Under which name a list is the path to a field. */
const PATHS = /^(?:path|loc|location)$/i;
const KEY_LINE = '-----';
const LONGEST_ADDRESS = 300;

/** What is secret in the texts of a container, or of the items of a list, read as the one text that they are parts of. */
export function neighbourParts(node: Node, detect: (text: string) => readonly Span[]): NeighbourPart[] {
  if (node.entries.length < 2) {
    return [];
  }
  const places = placesOf(node);
  const hasKey = places.some(({ text }) => text.includes(KEY_LINE));
  const parts = [
    ...(hasKey ? partsAcross(places, '\n', (text) => detect(text).filter(({ rule }) => rule === 'pem')) : []),
    ...addressParts(places),
    ...namedParts(places, detect),
    ...(isPath(node) ? stepParts(stepsOf(node), detect) : []),
    ...blockParts(places, detect),
  ].filter(
    ({ place, start, end }) =>
      place.text.slice(start, end).trim() !== '' && !isSurrogateAt(place.text, start, end),
  );
  return disjoint(parts).map(({ place: { node: holder, entry }, ...part }) => ({
    ...part,
    node: holder,
    entry,
  }));
}

/** No part of a text twice: the first that was found. */
function disjoint(parts: readonly Part[]): Part[] {
  const taken = new Map<Entry, Part[]>();
  return parts.filter((part) => {
    const others = taken.get(part.place.entry) ?? [];
    taken.set(part.place.entry, others);
    const isFree = others.every(({ start, end }) => part.end <= start || end <= part.start);
    if (isFree) {
      others.push(part);
    }
    return isFree;
  });
}

/** The parts of what a cut between blocks of content has gone through, or has kept from its name. */
function blockParts(places: readonly Place[], detect: (text: string) => readonly Span[]): Part[] {
  const blocks = places.filter(({ isBlock }) => isBlock);
  if (blocks.length < 2) {
    return [];
  }
  const texts = blocks.map(({ text }) => text);
  return partsAcross(blocks, '', () => seamSpans(texts, detect), true);
}

/** Whether a list holds blocks of content whose texts may have been one. */
export function haveSeam(items: readonly unknown[]): boolean {
  return items.filter(isTextBlock).length > 1;
}

function isTextBlock(item: unknown): boolean {
  const { type, text, resource } = Object(item) as { readonly [name: string]: unknown };
  if (type === 'resource') return typeof (Object(resource) as { readonly text?: unknown }).text === 'string';
  return type === 'text' && typeof text === 'string';
}

/** Whether a text may be the part of a secret that goes on in the next one, or began in the one before. */
export function mayBePart(text: string): boolean {
  return openAddress(text) >= 0 || announces(text) || text.includes(`${KEY_LINE}END `);
}

function placesOf(node: Node): Place[] {
  const isList = Array.isArray(node.source);
  const places = new Map<Entry, Place>(); // one item may stand in a list many times
  for (const entry of node.entries) {
    const item = typeof entry.leaf === 'string' ? node : isList ? entry.child : undefined;
    const holder = item === node ? node : (resourceIn(item) ?? item);
    const said = holder === node ? entry : holder?.entries.find(isText);
    if (holder && said) {
      const isBlock = holder !== node && (holder !== item || hasType(holder, 'text'));
      places.set(said, { node: holder, entry: said, text: String(said.leaf), isBlock });
    }
  }
  return [...places.values()];
}

function hasType(node: Node, type: string): boolean {
  return node.entries.some(({ key, leaf }) => key === 'type' && leaf === type);
}

/** What a block of content holds as a whole, with a text of its own. */
function resourceIn(block: Node | undefined): Node | undefined {
  if (block === undefined || !hasType(block, 'resource')) return undefined;
  const held = block.entries.find(({ key }) => key === 'resource')?.child;
  return held?.entries.some(isText) === true ? held : undefined;
}

function isText({ key, leaf }: Entry): boolean {
  return typeof leaf === 'string' && TEXT.test(String(key));
}

/** Is this the path to a field? Whoever tells of the field joins its steps again: `ada.lovelace@example.com`. */
function isPath({ source, key }: Node): boolean {
  return Array.isArray(source) && typeof key === 'string' && PATHS.test(key);
}

/** The steps of a path; an address of numbers may have become some. */
function stepsOf(node: Node): Place[] {
  return node.entries
    .filter(({ leaf }) => typeof leaf === 'string' || typeof leaf === 'number')
    .map((entry) => ({ node, entry, text: String(entry.leaf), isBlock: false }));
}

/** The parts of what goes over several steps. An address of numbers is one only where no name is joined to it. */
function stepParts(steps: readonly Place[], detect: (text: string) => readonly Span[]): Part[] {
  const numbers = steps.filter(({ text }) => /^\d{1,3}$/.test(text));
  const parts = partsAcross(steps, '.', detect);
  const isMore = numbers.length >= 4 && numbers.length < steps.length;
  const found = new Set(parts.map(({ place }) => place));
  const more = isMore ? partsAcross(numbers, '.', detect) : [];
  return [...parts, ...more.filter(({ place }) => !found.has(place))];
}

/** The parts of what goes over several texts, where these are read as one; with `takesWhole` also of what is in one of them. */
function partsAcross(
  places: readonly Place[],
  between: '\n' | '.' | '',
  detect: (text: string) => readonly Span[],
  takesWhole = false,
): Part[] {
  const starts: number[] = [];
  let size = 0;
  for (const { text } of places) {
    starts.push(size);
    size += text.length + between.length;
  }
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end, rule, class: cls } of detect(places.map(({ text }) => text).join(between))) {
    while (at + 1 < places.length && (starts[at + 1] as number) <= start) {
      at++;
    }
    if (!takesWhole && end <= (starts[at + 1] ?? size)) {
      continue;
    }
    for (; at < places.length && (starts[at] as number) < end; at++) {
      const place = places[at] as Place;
      const from = Math.max(0, start - (starts[at] as number));
      const to = Math.min(place.text.length, end - (starts[at] as number));
      parts.push({ place, start: from, end: to, rule, class: cls });
    }
    at--;
  }
  return parts;
}

/** Where an address ends a text before its host is told: right behind its scheme; -1 if none does. */
function openAddress(text: string): number {
  const at = text.lastIndexOf('://');
  const isOpen = at > 0 && text.length - at < LONGEST_ADDRESS && !/[\s/@?#"'<>]/.test(text.slice(at + 3));
  return isOpen ? at + 3 : -1;
}

/** A user and a password; either may be gone already. */
const CREDENTIALS =
  /^((?:\[[a-z-]{2,24}:\d{1,6}(?:#[\da-f]{4,16})?\]|[^\s/@:?#"'<>[]){0,100}:)([^\s/@?#"'<>]{1,200})@/;

/** The credentials of addresses that go on in the next text. */
function addressParts(places: readonly Place[]): Part[] {
  return places.flatMap((place, index) => {
    const next = places[index + 1];
    const from = openAddress(place.text);
    if (!next || from < 0) {
      return [];
    }
    const begun = place.text.slice(from);
    const [, user = '', password = ''] = CREDENTIALS.exec(begun + next.text.slice(0, LONGEST_ADDRESS)) ?? [];
    if (password === '' || /:\d{1,5}$/.test(begun)) {
      return []; // a port, and something else with an @
    }
    const what = { rule: 'url-credentials', class: 'credentials' };
    const { length } = place.text;
    const start = from + user.length;
    const end = start + password.length;
    return [
      { place, start: Math.min(length, start), end: Math.min(length, end), ...what },
      { place: next, start: Math.max(0, start - length), end: Math.max(0, end - length), ...what },
    ];
  });
}

/** Does a text end with the sign after which a value comes? */
function announces(text: string): boolean {
  // Every text is asked, and most end otherwise.
  if (NO_SIGNS.includes(text.at(-1) ?? ' ')) return false;
  return /(?:[:=]| (?:is|was|ist|est|es))\s{0,8}$/.test(text.slice(-LONGEST_SIGN));
}

const LONGEST_SIGN = 12;
/** No sign ends with these, which end most words and sentences. */
const NO_SIGNS = 'abcdefghijklmnopqruvwxyz0123456789.';
const LONGEST_NAME = 120;
const LONGEST_VALUE = 400;

/** Values whose name ends the text before. */
function namedParts(places: readonly Place[], detect: (text: string) => readonly Span[]): Part[] {
  return places.flatMap(({ text }, index) => {
    const place = places[index + 1];
    if (!place || !announces(text)) {
      return [];
    }
    const name = `${text.slice(-LONGEST_NAME).trimEnd()}\n`;
    return detect(name + place.text.slice(0, LONGEST_VALUE))
      .filter(({ start }) => start >= name.length)
      .map(({ start, end, rule, class: cls }) => {
        return { place, start: start - name.length, end: end - name.length, rule, class: cls };
      });
  });
}
