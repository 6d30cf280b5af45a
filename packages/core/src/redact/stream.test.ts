import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { runs } from '../../../../test/runs.ts';
import { createRedactor } from './index.ts';

const redactor = createRedactor();
const random = createRandom(5);
const key = expand('ghp_{n36}', random);
const pem = expand(
  '-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b64}\n-----END RSA PRIVATE KEY-----',
  random,
);
const trace = 'Error: boom\n    at f (/srv/a.js:1:2)\n    at g (/srv/b.js:3:4)\nnext line';
const text = `first ${key}\nplain\n${pem}\n${trace}\nagain ${key}\nmail jo@example.com\n`;

function run(input: string, sizes: readonly number[]): string {
  const stream = redactor.stream();
  let out = '';
  let at = 0;
  for (let i = 0; at < input.length; i++) {
    const size = sizes[i % sizes.length] as number;
    out += stream.push(input.slice(at, at + size));
    at += size;
  }
  return out + stream.end();
}

test('the pieces give what the whole gives, however it is cut', () => {
  const whole = redactor.redactText(text).value;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 }), (sizes) => {
      expect(run(text, sizes)).toBe(whole);
    }),
    { numRuns: runs(200) },
  );
});

test('nothing is lost or changed in benign text', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (benign, size) => {
      const clean = benign.replace(/[^a-z\n ]/g, '');
      expect(run(clean, [size])).toBe(clean);
    }),
  );
});

test('a line that never ends goes out in parts, secrets whole', () => {
  const line = `${'lorem ipsum '.repeat(30_000)}${key} ${'dolor sit '.repeat(30_000)}`;
  const stream = redactor.stream();
  let early = '';
  for (let at = 0; at < line.length; at += 1000) {
    early += stream.push(line.slice(at, at + 1000));
  }
  expect(early.length).toBeGreaterThan(line.length / 2);
  expect(early + stream.end()).toBe(line.replace(key, '[token:1]'));
  expect(stream.findings).toEqual([{ rule: 'github-pat', path: '$' }]);
});

/** Blocks whose lines hang together, each with what must not come out. */
const BLOCKS: readonly string[] = [
  'goroutine 1 [running]:\nmain.pick(...)\n\t/srv/hidden/main.go:14\nmain.main()\n\t/srv/hidden/main.go:9 +0x1d\nexit status 2\n',
  'user,password\nbob,hidden7zzQ\nann,hidden8zzQ\n\n',
  '| user | password |\n|---|---|\n| bob | hidden7zzQ |\n| ann | hidden8zzQ |\n\n',
  'id\ttoken\n1\thidden39fLq02mNx8Rt5\n2\thidden40fLq02mNx8Rt6\n\n',
  '--b\nContent-Disposition: form-data; name="password"\n\nhidden7zzQ\n--b--\n',
  'Password:\nhidden7zzQ\nok\n',
  '- name: DB_PASSWORD\n  value: hidden7zzQ\n',
  'variable "db_password" {\n  type = string\n  default = "hidden7zzQ"\n}\n',
  '{"exception":"x",\n"trace":[\n{"file":"/var/hidden/x.php",\n"line":3}]}\n',
  "INSERT INTO users\nVALUES ('hidden',\n 'hidden')\n\n",
];
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index} of a report about nothing\n`).join('');

test('what spans lines is held until it ends, however it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...BLOCKS), fc.integer({ min: 0, max: 700 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 4 }),
      (parts, sizes) => {
        const report = parts.map(([block, count]) => block + lines(count)).join('');
        const out = run(report, sizes);
        expect(out).not.toContain('hidden');
        expect(out).toBe(redactor.redactText(report).value);
      },
    ),
    { numRuns: 40 },
  );
});

test('a table that is longer than what is held loses its secret column to the end', () => {
  const rows = Array.from({ length: 6000 }, (_, index) => `user${index},hidden${index}zQ,row ${index}`);
  const out = run(`name,password,note\n${rows.join('\n')}\n\nuser1,hidden,end\n`, [1000]);
  expect(out.split('\n').filter((line) => line.includes('hidden'))).toEqual(['user1,hidden,end']);
  expect(out).toContain('row 5999');
});
