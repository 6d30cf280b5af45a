/** Names that every client accepts: letters, digits, `_` and `-`, at most 64, none twice. Runs in a worker. */
import { sha256 } from '../sha256.ts';

/** Gives out names. */
export interface Names {
  /** A name like the wanted one; `identity` tells apart what would otherwise be called the same. */
  take(wanted: string, identity: string): string;
}

const MAX_LENGTH = 64;
const MARK_LENGTH = 8;

/** Gives out every name once. The same wish gets the same name, whatever else has been asked for before. */
export function createNames(extra = ''): Names {
  const taken = new Set<string>();
  const foreign = new RegExp(`[^A-Za-z0-9_${extra}-]+`, 'g');
  return {
    take(wanted, identity) {
      const plain = wanted.replace(foreign, '_').replace(/^_+|_+$/g, '');
      let name = plain;
      for (let turn = 0; name === '' || name.length > MAX_LENGTH || taken.has(name); turn++) {
        const mark = sha256(`${identity}\0${turn}`).slice(0, MARK_LENGTH);
        name = `${plain.slice(0, MAX_LENGTH - MARK_LENGTH - 1)}_${mark}`.replace(/^_/, '');
      }
      taken.add(name);
      return name;
    },
  };
}
