/** What a redactor is made of beside its key words: parts, of which a bundle holds those that its entry names. */
import type { CommandPart } from './command-lists.ts';
import type { KnownLeaf } from './leaf-class.ts';
import type { NeighbourPart } from './neighbours.ts';
import type { Entry, Node } from './nodes.ts';
import type { Page, Span } from './page.ts';
import type { Shortened } from './repeats.ts';
import type { Find } from './rules/pages-to-open.ts';
import type { Engine } from './text.ts';

/** Reads another text by the same rules. */
export type Detect = (text: string) => readonly Span[];

/** The parts of a redactor. Those that may be absent find, or save, what nobody else does. */
export interface Parts {
  /** Look at the whole of a text, once its key words were seen, in their order. */
  readonly looks: readonly ((page: Page, label: string | undefined) => void)[];
  /** Marks what shows when a disguise is taken off. */
  readonly markDisguised?: (page: Page, detect: Detect) => void;
  /** Leaves what only stands by chance in base64 of bytes. */
  readonly withoutLetters?: (page: Page) => Span[];
  /** Leaves the addresses that somebody is to open. */
  readonly toGo?: (spans: Span[], text: string, find: Find) => Span[];
  /** The same text with less of what it repeats. */
  readonly shorten?: (text: string) => Shortened | undefined;
  /** Tells by its place alone whether a leaf of a value is to go. */
  readonly knownLeaf: (node: Node, entry: Entry, leaf: unknown) => KnownLeaf | undefined;
  /** What a reader would call a leaf. */
  readonly nameOf: (node: Node, entry: Entry) => string | undefined;
  /** What goes over several texts of a value. */
  readonly neighbourParts?: (node: Node, detect: Detect) => NeighbourPart[];
  /** What goes of a list that is a command line. */
  readonly commandParts?: (node: Node, detect: Detect) => CommandPart[];
  /** Whether a glance at a value shows that there is nothing in it. */
  readonly isClean?: (engine: Engine, value: unknown) => boolean;
}
