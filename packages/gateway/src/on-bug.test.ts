import { expect, it } from 'vitest';
import { DialectThrew } from './call/say.ts';
import { createOnBug } from './on-bug.ts';

it('tells what one dialect does once a minute, and everything else at once', () => {
  const lines: string[] = [];
  let now = 0;
  const onBug = createOnBug(
    (line) => lines.push(line.replace(/ at .*/, '')),
    () => now,
  );
  const threw = (id: string, after?: string): void => onBug(new DialectThrew(id, new Error('no'), after));
  threw('acme');
  threw('acme');
  threw('acme', 'its read was passed over');
  threw('other');
  now = 59_999;
  threw('acme');
  now = 60_000;
  threw('acme');
  onBug(new TypeError('one'));
  onBug(new TypeError('one'));
  expect(lines.map((line) => line.replace(/^bug: TypeError .*/, 'bug'))).toEqual([
    'dialect=acme threw, mayday was spoken in its place: Error: no',
    'dialect=acme threw, its read was passed over: Error: no',
    'dialect=other threw, mayday was spoken in its place: Error: no',
    'dialect=acme threw, mayday was spoken in its place: Error: no',
    'bug',
    'bug',
  ]);
});

it.each(['acme.mjs', 'acme.cjs', 'acme.mts', 'acme.ts', 'acme.js'])(
  'tells where in a dialect it was thrown: %s',
  (file) => {
    const lines: string[] = [];
    const thrown = new Error('no');
    thrown.stack = `Error: no\n    at Object.read (file:///srv/dialects/${file}:3:11)\n    at ask (file:///app/dist/shared.js:15:9)`;
    createOnBug((line) => lines.push(line))(new DialectThrew('acme', thrown, 'its read was passed over'));
    expect(lines).toEqual([`dialect=acme threw, its read was passed over: Error: no at ${file}:3`]);
  },
);

it('tells what a store that is down says once a minute, however many calls meet it', () => {
  const lines: string[] = [];
  let now = 0;
  const onBug = createOnBug(
    (line) => lines.push(line),
    () => now,
  );
  const down = (message: string): void => onBug(Object.assign(new Error(message), { name: 'StoreError' }));
  for (let i = 0; i < 400; i += 1) down('file:x was removed');
  down('file:x is full');
  now = 60_000;
  down('file:x was removed');
  expect(lines).toEqual(['store: file:x was removed', 'store: file:x is full', 'store: file:x was removed']);
});
