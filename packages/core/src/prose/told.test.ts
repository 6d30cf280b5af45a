import { describe, expect, it } from 'vitest';
import { toldIn } from './told.ts';

describe('what a plain text tells by its form', () => {
  it.each([
    ['Error: the file was deleted', 'called a failure'],
    ['API error: 500', 'called a failure'],
    ['Delete failed: 403 Forbidden', 'called a failure'],
    ['Failed to remove user 17', 'called a failure'],
    ['File not found: a.txt', 'a failure'],
    ['The message could not be deleted', 'a failure'],
    ['Rate limit exceeded', 'a failure'],
    ['Access denied', 'a failure'],
    ['Datei nicht gefunden', 'a failure'],
    ['File deleted successfully', 'a change'],
    ['Rate limit updated to 100/min', 'a change'],
    ['Access denied rule created', 'a change'],
    ['Issue "File not found" closed', 'a change'],
    ['3 Dateien gelöscht', 'a change'],
    ['ファイルを削除しました', 'a change'],
    ['Successfully processed: 0 messages\nFailed to process: 1 messages', 'something'],
    ['A 404 means that the page was not found', 'about failures'],
    ['Cannot open the door? Turn the key twice.', 'about failures'],
    ['42 rooms', 'something'],
    ['', 'something'],
  ] as const)('%j is %s', (text, told) => {
    expect(toldIn(text)).toBe(told);
  });

  it.each(['deleted ', 'not ', 'error ', 'a.b: ', '"x" ', 'is required ', 'x'])(
    'takes no longer for a megabyte of %j than for its beginning',
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      const before = process.cpuUsage().user;
      toldIn(text);
      expect(process.cpuUsage(undefined).user - before).toBeLessThan(200_000);
    },
  );
});
