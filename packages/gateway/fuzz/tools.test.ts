import { describe, expect, it } from 'vitest';
import { randomFor } from './random.ts';
import { ENDPOINTS } from './range.ts';
import { ResponseReader } from './reader.ts';
import { shotFor } from './shot.ts';

describe('the messages of a run', () => {
  const range = { host: '127.0.0.1:1', endpoints: ENDPOINTS, key: 'k', sessions: ['s'] };
  const wire = (seed: number, index: number): string =>
    Buffer.concat([...shotFor(seed, index, range).pieces]).toString('latin1');

  it('are the same for the same seed, and others for another', () => {
    const indexes = Array.from({ length: 200 }, (_, index) => index);
    expect(indexes.map((index) => wire(7, index))).toEqual(indexes.map((index) => wire(7, index)));
    expect(indexes.filter((index) => wire(7, index) === wire(8, index))).toEqual([]);
  });

  it('reach every endpoint, both eras, and sometimes go very deep', () => {
    const all = Array.from({ length: 6000 }, (_, index) => shotFor(1, index, range));
    for (const { path } of ENDPOINTS) expect(all.some(({ head }) => head.includes(` ${path} `))).toBe(true);
    expect(all.filter(({ head }) => head.includes('2026-07-28')).length).toBeGreaterThan(1500);
    expect(all.filter(({ head }) => !head.includes('2026-07-28')).length).toBeGreaterThan(1500);
    expect(all.some(({ body }) => body.includes('['.repeat(100_000)))).toBe(true);
    expect(all.filter(({ id }) => id !== undefined).length).toBeGreaterThan(2000);
  });

  it('are spread evenly', () => {
    const counts = [0, 0, 0, 0];
    for (let index = 0; index < 4000; index += 1)
      counts[randomFor(1, index).int(4)] = (counts[randomFor(1, index).int(4)] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('the reader of responses', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
      'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' +
      'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 500 Oops\r\n\r\nrest',
  );

  it('finds the same responses wherever the bytes are cut', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const reader = new ResponseReader();
      const found = [...reader.feed(bytes.subarray(0, at)), ...reader.feed(bytes.subarray(at))];
      const last = reader.finish();
      expect([...found, last].map((response) => [response?.status, response?.body.toString()])).toEqual([
        [200, 'hello'],
        [202, 'abcde'],
        [204, ''],
        [500, 'rest'],
      ]);
    }
  });
});
