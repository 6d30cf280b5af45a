import type { Entry, Node } from './nodes.ts';
import { blankOf, putInto } from './views.ts';

/** Builds the changed value. Containers without a change inside are the originals. */
export function rebuild(nodes: readonly Node[], unreadable: string): unknown {
  const dirty = new Set(nodes.filter((node) => node.dirty || node.unreadable));
  for (const node of dirty) {
    for (const holder of node.holders) {
      dirty.add(holder);
    }
  }
  for (const node of dirty) {
    node.copy = node.unreadable ? unreadable : blank(node, unreadable);
  }
  for (const node of dirty) {
    if (typeof node.copy === 'object' && node.copy !== null) {
      for (const entry of node.entries) {
        putInto(node.copy, node.source, keyOf(entry), copyOf(entry.child, dirty) ?? entry.next);
      }
    }
  }
  const [root] = nodes;
  return Array.isArray(root?.copy) ? root.copy[0] : undefined;
}

function blank(node: Node, unreadable: string): unknown {
  try {
    return blankOf(node.source);
  } catch {
    // A proxy whose prototype cannot be asked for.
    return unreadable;
  }
}

/** The copy of a container, or of what it says of itself to JSON, if that is what changed. */
function copyOf(node: Node | undefined, dirty: ReadonlySet<Node>): unknown {
  if (!node || !dirty.has(node)) {
    return undefined;
  }
  return node.json && dirty.has(node.json) ? jsonCopy(node.json, dirty) : node.copy;
}

/** A container's JSON form is held in a list of one. */
function jsonCopy(json: Node, dirty: ReadonlySet<Node>): unknown {
  const [entry] = json.entries;
  return copyOf(entry?.child, dirty) ?? entry?.next;
}

function keyOf(entry: Entry): unknown {
  return entry.keyChild?.copy ?? entry.name;
}
