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

const USERS = [
  'jdoe',
  'mallory',
  'alice.w',
  'k.ito',
  'zoe_m',
  'pmartin',
  'h-larsen',
  'otto',
  'svc-orders',
  'yusuf99',
];
const HOSTS = [
  'db-primary',
  'orders-api',
  'pg-main-1',
  'redis01',
  'billing-service',
  'mq-node-3',
  'ledger_db',
];
const PASSWORDS = [
  '{n10}',
  '{n12}',
  '{a5}{d3}!',
  '{n4}@{n5}',
  '{n5}#{n5}',
  '{a4}-{a5}-{d3}',
  '{a6}{d2}$',
  'S{n7}!',
  '{l8}',
];

/** Placeholders with a name: a password as people choose them, a user, a host, addresses. */
const NAMED: Readonly<Record<string, (number: (below: number) => number) => string>> = {
  uuid: () => '{h8}-{h4}-{h4}-{h4}-{h12}',
  pw: (number) => PASSWORDS[number(PASSWORDS.length)] as string,
  user: (number) => USERS[number(USERS.length)] as string,
  host: (number) => HOSTS[number(HOSTS.length)] as string,
  ip: (number) => `${81 + number(20)}.${2 + number(200)}.${69 + number(100)}.${142 + number(90)}`,
  ip10: (number) =>
    number(2)
      ? `10.${number(250)}.${number(250)}.${2 + number(200)}`
      : `192.168.${number(250)}.${2 + number(200)}`,
};

/**
 * Fills in `{n36}` (36 characters of set `n`, the first and last of them plain), `{a|b}` (one of them) and the named
 * placeholders.
 */
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
    /\{(?:([dhulanwbps])(\d+)(?:-(\d+))?|(uuid|pw|user|host|ip10|ip)|([^{}"]*\|[^{}"]*))\}/g,
    (_, set, size, max, named, choice) => {
      if (named) {
        return expand(NAMED[named as string]?.((below) => Math.floor(random() * below)) ?? '', random);
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
