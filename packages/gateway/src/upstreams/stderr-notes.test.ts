import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { stderrNotes } from './stderr-notes.ts';

async function told(lines: readonly string[]): Promise<readonly string[]> {
  const notes: string[] = [];
  const hear = stderrNotes((text) => notes.push(text));
  for (const line of lines) hear(line);
  await sleep(300);
  return notes;
}

it('tells lines in their order', async () => {
  expect(await told(['listening on 7350', 'ready', '  indented'])).toEqual([
    'stderr: listening on 7350',
    'stderr: ready',
    'stderr:   indented',
  ]);
});

it('takes out what colours and tabs stand beside, and leaves nothing of them', async () => {
  const secret = 'Tr0ub4dorX';
  expect(await told([`\x1b[31mpassword\x1b[0m=\x1b[33m${secret}\x1b[0m`])).toEqual([
    'stderr: password=[password:1]',
  ]);
  expect(await told(['user\tpassword', `svc\t${secret}`])).toEqual([
    'stderr: user password',
    'stderr: svc [password:1]',
  ]);
});

it('takes out what spans lines', async () => {
  const body = [
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
    'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
  ];
  const notes = await told([
    'using',
    '-----BEGIN PRIVATE KEY-----',
    ...body,
    '-----END PRIVATE KEY-----',
    'done',
  ]);
  expect(notes.join('\n')).not.toContain('MIIEvQ');
  expect(notes.join('\n')).not.toContain('MzEfYy');
  expect(notes[0]).toBe('stderr: using');
  expect(notes.at(-1)).toBe('stderr: done');
  expect((await told(['password:', '  hunter2Zq9secretX', 'done'])).join('\n')).not.toContain('hunter2');
});
