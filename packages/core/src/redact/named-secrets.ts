import { knownLeaf } from './leaves.ts';
import { toldName } from './node-names.ts';
import { open } from './nodes.ts';

/** A text or number of a value that a name before, beside or above it makes a secret. */
export interface NamedSecret {
  readonly name: string;
  /** As in its surrogate: `password`, `api-key`, … */
  readonly class: string;
  readonly text: string;
  /** Whether the name need not be a secret's: the text looks like one. */
  readonly isGuess: boolean;
}

/** All that redaction would take out of a value because of the names in it. Total: any value in, never throws. */
export function namedSecrets(value: unknown): readonly NamedSecret[] {
  return open(value).flatMap((node) =>
    node.entries.flatMap((entry) => {
      const { leaf } = entry;
      const known =
        typeof leaf === 'string' || typeof leaf === 'number' ? knownLeaf(node, entry, leaf) : undefined;
      if (known?.rule !== 'key-name' && known?.rule !== 'weak-name') return [];
      const name = toldName(node, entry)?.name ?? '';
      return [{ name, class: known.class, text: String(leaf), isGuess: known.rule === 'weak-name' }];
    }),
  );
}
