/** What may be told of a process that was started with these words: places on the machine, and nothing that may be a secret. */
import { expect, it } from 'vitest';
import { Explanation } from './explanation.ts';

const silenceOf = (given: { args?: string[]; env?: { [name: string]: string } }, line: string) => {
  const explanation = new Explanation({ command: 'node', ...given });
  explanation.complained(line);
  return explanation.silence;
};

it.each([
  '/srv/acme/shared-docs',
  '/mnt/My Documents/notes (old)',
  '~/notes',
  './data/store.db',
  '../shared',
  'C:\\Data\\notes',
  'D:/data/notes',
])('names the folder %s, which is no secret', (folder) => {
  const silence = silenceOf({ args: ['server.js', folder] }, `cannot access directory "${folder}"`);
  expect(silence?.details['stderr']).toContain(folder);
});

it('names the folder that it was started in, and those below', () => {
  const env = { PWD: '/srv/acme', HOME: '/srv' };
  expect(silenceOf({ env }, 'no /srv/acme/docs')?.details['stderr']).toBe('no /srv/acme/docs');
});

it.each([
  'sw0rdf1sh',
  '/x9Kq2LmZ7vRtB4nWcY8pQ1/abc',
  '/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  '/T00000000/B00000000/XXXXabcd1234XXXXabcd1234',
  'https://ann:hunter2hunter2@acme.dev/x',
])('hides %s, given as an argument or a variable', (secret) => {
  const line = `refused: ${secret}`;
  expect(JSON.stringify(silenceOf({ args: ['server.js', secret] }, line))).not.toContain(secret);
  expect(JSON.stringify(silenceOf({ env: { KEY: secret } }, line))).not.toContain(secret);
});

it('tells which file is started, also below a scope', () => {
  const args = ['/srv/node_modules/@acme/server/dist/index.js', '--key', 'sw0rdf1sh'];
  expect(silenceOf({ args }, 'x')?.details['command']).toBe(`node ${args[0]} …`);
});
