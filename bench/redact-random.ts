/**
 * Expands templates such as `ghp_{n36}` with seeded random characters, so that no file holds anything a scanner could
 * take for a live secret.
 */

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

const SETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  u: UPPER + DIGITS,
  l: LOWER + DIGITS,
  a: LOWER + UPPER,
  n: LOWER + UPPER + DIGITS,
  w: `${LOWER}${UPPER}${DIGITS}_-`,
  b: `${LOWER}${UPPER}${DIGITS}+/`,
  p: `${LOWER}${UPPER}${DIGITS}._-`,
  s: `${LOWER}${UPPER}${DIGITS}%._-`,
};

/** A small seeded generator (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Fills in `{n36}` (36 characters of set `n`), `{a|b}` (one of them) and `{uuid}`. The first and last are plain. */
export function expand(template: string, random: () => number): string {
  const pick = (from: string): string => from[Math.floor(random() * from.length)] as string;
  const run = (set: string, size: number): string => {
    const chars = SETS[set] ?? '';
    const plain = chars.replace(/[^A-Za-z0-9]/g, '');
    let out = '';
    for (let i = 0; i < size; i++) {
      out += pick(i === 0 || i === size - 1 ? plain : chars);
    }
    return out;
  };
  return template.replace(
    /\{(?:(\w)(\d+)(?:-(\d+))?|(uuid)|([^{}"]*\|[^{}"]*))\}/g,
    (_, set, size, max, uuid, choice) => {
      if (uuid) {
        return [8, 4, 4, 4, 12].map((length) => run('h', length)).join('-');
      }
      if (choice) {
        const options = (choice as string).split('|');
        return options[Math.floor(random() * options.length)] as string;
      }
      const least = Number(size);
      return run(set as string, max ? least + Math.floor(random() * (Number(max) - least + 1)) : least);
    },
  );
}
