/** Names of tools that every client takes. */
import { sha256 } from '../sha256.ts';

/** The longest, and of these characters: models are given tools by such names alone. */
export const TOOL_NAME: RegExp = /^[A-Za-z0-9_-]{1,64}$/;

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Does every client take this name? */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}

/**
 * Another name for what cannot have its own: as much of it as fits, and the beginning of a digest of `whole`, so that
 * it is the same whenever and wherever it is made.
 */
export function otherName(name: string, whole: string = name): string {
  const digest = sha256(whole).slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${digest}`;
}

/** May this be such a name? What it stands for is known once it was listed. */
export function isOtherName(name: string): boolean {
  return /_[0-9a-f]{8}$/.test(name) && name.length <= MAX_LENGTH;
}
