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

  it.each([
    'HTTP error! Status: 502',
    'HTTP error! status: 422, message: name is too long',
    'HTTP error; status = 410',
    'HTTP/1.1 503 Service Unavailable',
    'HTTP response code: 504',
    'HTTP status 500',
    'HTTP 404 for /rooms/9',
    'Status code: 401\nBody: who are you',
    'Status: 500\nRequest id: 7\nMessage: the database is locked',
    'Http failure response for https://rooms.example/9: 0 Unknown Error',
  ])('%j is called a failure, being a status that is called one', (text) => {
    expect(toldIn(text)).toBe('called a failure');
  });

  it.each([
    '502 Bad Gateway',
    '403 - Forbidden',
    '404 Not Found for url https://rooms.example/9',
    '429 Too Many Requests: slow down',
    'Response status: 502',
    'Unexpected status code 500 from the server',
    'Received an unexpected response: 503 Service Unavailable',
    'Non-2xx response (500)',
    'Invalid response status: 504',
    'Unexpected HTTP response: 410',
    'Response was not OK (403)',
    'Failed with status 502',
    'API call failed with status code: 403',
    '503 Service Temporarily Unavailable',
    'The server status was 504.',
  ])('%j is a failure, being hardly more than a status', (text) => {
    expect(toldIn(text)).toBe('a failure');
  });

  it.each([
    ['Sorry, something went wrong: the socket was closed', 'a failure'],
    ['Apologies, but an error occurred while loading the room: timeout', 'a failure'],
    ['I could not load the room: 401 Unauthorized', 'called a failure'],
    ['Unfortunately, we were unable to reach the calendar: timeout', 'called a failure'],
  ] as const)('%j is %s, however it is broken gently', (text, told) => {
    expect(toldIn(text)).toBe(told);
  });

  it.each([
    'HTTP 503 page published',
    'HTTP 404 and 410 pages updated',
    'HTTP status 404 (custom page) enabled',
    '404 Not Found page uploaded',
    '404 Not Found: 12, 500 Internal Server Error: 3',
    '500 requests sent',
    '500',
    'Response: 404',
    'Room 404 status: booked',
    'Order status 500 units shipped',
    'Crawled 12 pages, one with status 404',
    'Check finished: status 503 at 10:00, 200 since 10:05',
    'Status: 503\nHost: rooms.example\nChecked at: 10:00',
    'I cannot see any problem with HTTP 500 in these lines',
    'Sorry, no rooms are left on Friday.',
    'Not found on disk; loaded from the mirror. 4 rooms.',
    'Incorrect guesses: 3 of 12',
    'Bad gateway rate: 2 %',
    'The code is 410',
    'HTTP/1.1 403 Forbidden\ncontent-length: 4\n\ngone',
    'HTTP status: 502 (rooms.example, checked at 10:00)',
    'HTTP 403 on /admin (expected), both tests passed',
    'HTTP 500 when the room is full, 200 otherwise',
    'Response status 502 mocked for /rooms',
    'The server status is 500 guests online',
    'Call 404 is on hold',
    '3 calls failed with 503, 40 went through',
  ])('%j is no failure, whatever status it names', (text) => {
    expect(toldIn(text)).not.toMatch(/failure$/);
  });

  it.each([
    'deleted ',
    'http ',
    'status: ',
    'sorry, ',
    'a: b\n',
    'not ',
    'error ',
    'a.b: ',
    '"x" ',
    'is required ',
    'x',
  ])('takes no longer for a megabyte of %j than for its beginning', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const before = process.cpuUsage().user;
    toldIn(text);
    expect(process.cpuUsage(undefined).user - before).toBeLessThan(200_000);
  });
});
